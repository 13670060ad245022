"""Queueing a further task: one open at a time, once per key."""

import asyncio
from datetime import UTC, datetime

import pytest

from {{ cookiecutter.package_name }}.polling.api import BacklogFullError, Event, KeyReusedError
from {{ cookiecutter.package_name }}.polling.database import Database
from {{ cookiecutter.package_name }}.polling.further_task import FurtherTask
from {{ cookiecutter.package_name }}.polling.settings import PollingSettings

from tests.integration.polling.workshop import FAST, SECOND, THINGS, accepted, execute, rows

FINISH = "UPDATE order_receipt_task SET status = 'COMPLETED', finished_at = now() RETURNING task_id"


def further(database: Database, settings: PollingSettings = FAST) -> FurtherTask:
    return FurtherTask(database, THINGS, SECOND, settings)


def event(event_id: int, aggregate_id: int = 1) -> Event:
    topic, task = "order_confirmation.completed", "order_confirmation"
    return Event(event_id, topic, task, 1, aggregate_id, None, datetime(2030, 1, 1, tzinfo=UTC))


async def test_unknown_aggregate_gets_none_and_leaves_nothing(database: Database) -> None:
    assert await further(database).queue(1) is None
    assert await further(database).queue(1, "one") is None

    assert await execute(database, "SELECT key FROM polling_idempotency_key") == []


async def test_it_takes_the_payload_of_its_aggregate(database: Database) -> None:
    await accepted(database, 1)

    await further(database).queue(1)

    (row,) = await rows(database, SECOND)
    assert row.payload == {"number": 0}


async def test_while_one_is_open_every_post_gets_that_one(database: Database) -> None:
    await accepted(database, 1)
    task = further(database)

    answers = await asyncio.gather(*(task.queue(1, key) for key in (None, "one", "two", "two", None, "three") * 4))

    assert len(set(answers)) == 1
    assert len(await rows(database, SECOND)) == 1


async def test_keys_stay_with_the_task_they_were_answered_with(database: Database) -> None:
    await accepted(database, 1)
    task = further(database)
    first = await task.queue(1, "one")
    assert await task.queue(1, "two") == first
    await execute(database, FINISH)

    assert await task.queue(1, "one") == first
    assert await task.queue(1, "two") == first
    assert await task.queue(1, "three") != first
    assert len(await rows(database, SECOND)) == 2


async def test_key_of_another_aggregate_is_refused(database: Database) -> None:
    await accepted(database, 2)
    await further(database).queue(1, "one")

    with pytest.raises(KeyReusedError):
        await further(database).queue(2, "one")

    assert len(await rows(database, SECOND)) == 1


async def test_parallel_posts_for_two_aggregates_with_one_key_queue_one(database: Database) -> None:
    await accepted(database, 2)
    task = further(database)

    answers = await asyncio.gather(*(task.queue(1 + n % 2, "one") for n in range(20)), return_exceptions=True)

    assert {type(answer).__name__ for answer in answers} == {"Accepted", "KeyReusedError"}
    assert len(await rows(database, SECOND)) == 1


async def test_full_backlog_still_answers_with_what_is_open(database: Database) -> None:
    await accepted(database, 2)
    task = further(database, PollingSettings(backlog_cap=1))
    first = await task.queue(1)

    assert await task.queue(1) == first
    with pytest.raises(BacklogFullError):
        await task.queue(2)
    assert await task.queue(3) is None


async def test_an_event_queues_once_however_often_it_comes(database: Database) -> None:
    await accepted(database, 1)
    task = further(database)

    answers = await asyncio.gather(*(task.follow(event(7)) for _ in range(20)))

    assert len(set(answers)) == 1
    assert len(await rows(database, SECOND)) == 1


async def test_an_event_that_comes_again_after_the_end_queues_nothing(database: Database) -> None:
    await accepted(database, 1)
    task = further(database)
    first = await task.follow(event(7))
    await execute(database, FINISH)

    assert await task.follow(event(7)) == first
    assert await task.follow(event(8)) != first
    assert len(await rows(database, SECOND)) == 2


async def test_an_event_is_known_for_longer_than_a_clients_key(database: Database) -> None:
    await accepted(database, 1)
    task = further(database, PollingSettings(key_retention=0.001))
    by_event, by_client = await task.follow(event(7)), await task.queue(1, "one")
    await execute(database, FINISH)
    await asyncio.sleep(0.01)

    assert await task.follow(event(7)) == by_event
    assert await task.queue(1, "one") != by_client


async def test_a_clients_key_is_not_an_events(database: Database) -> None:
    await accepted(database, 2)
    task = further(database)

    assert await task.queue(1, "7") != await task.follow(event(7, aggregate_id=2))


async def test_an_event_of_what_is_gone_queues_nothing(database: Database) -> None:
    assert await further(database).follow(event(7)) is None
