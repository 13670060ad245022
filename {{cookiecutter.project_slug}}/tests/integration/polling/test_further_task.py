"""Queueing a further task: one open at a time, once per key."""

import asyncio

import pytest

from {{ cookiecutter.package_name }}.polling.api import BacklogFullError, KeyReusedError
from {{ cookiecutter.package_name }}.polling.database import Database
from {{ cookiecutter.package_name }}.polling.further_task import FurtherTask
from {{ cookiecutter.package_name }}.polling.settings import PollingSettings

from tests.integration.polling.workshop import FAST, SECOND, THINGS, accepted, execute, rows

FINISH = "UPDATE order_receipt_task SET status = 'COMPLETED', finished_at = now() RETURNING task_id"


def further(database: Database, settings: PollingSettings = FAST) -> FurtherTask:
    return FurtherTask(database, THINGS, SECOND, settings)


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
