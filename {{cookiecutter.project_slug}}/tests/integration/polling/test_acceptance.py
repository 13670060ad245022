"""Accepting work: all of it or none, once per key."""

import asyncio

import pytest

from {{ cookiecutter.package_name }}.polling.acceptance import Acceptance
from {{ cookiecutter.package_name }}.polling.api import BacklogFullError, KeyReusedError, PayloadError
from {{ cookiecutter.package_name }}.polling.database import Database
from {{ cookiecutter.package_name }}.polling.settings import PollingSettings
from {{ cookiecutter.package_name }}.polling.views import task_views

from tests.integration.polling.workshop import FAST, FIRST, THINGS, execute, rows


def acceptance_of(database: Database, settings: PollingSettings = FAST) -> Acceptance:
    return Acceptance(database, THINGS, FIRST, settings)


async def test_aggregate_and_task_come_together(database: Database) -> None:
    accepted = await acceptance_of(database).accept({"amount": 100})

    (row,) = await rows(database)
    assert (row.task_id, row.order_id, row.status) == (accepted.task_id, accepted.aggregate_id, "PENDING")
    assert row.payload == {"amount": 100}
    (thing,) = await database.rows(THINGS.select())
    assert thing.payload == {"amount": 100}


async def test_twenty_parallel_posts_with_one_key_make_one_aggregate(database: Database) -> None:
    acceptance = acceptance_of(database)

    answers = await asyncio.gather(*(acceptance.accept({"amount": 100}, "one") for _ in range(20)))

    assert len(set(answers)) == 1
    assert len(await rows(database)) == 1


async def test_equal_json_is_the_same_request_however_it_is_spelled(database: Database) -> None:
    acceptance = acceptance_of(database)

    first = await acceptance.accept({"a": 1, "b": [1.0, {"c": None}]}, "one")
    second = await acceptance.accept({"b": [1, {"c": None}], "a": 1.0}, "one")

    assert first == second


@pytest.mark.parametrize("other", [{"a": 2}, {"a": True}, {"a": "1"}, {"a": 1, "b": None}, {}], ids=str)
async def test_key_with_another_body_is_refused(database: Database, other: dict[str, object]) -> None:
    acceptance = acceptance_of(database)
    await acceptance.accept({"a": 1}, "one")

    with pytest.raises(KeyReusedError):
        await acceptance.accept(other, "one")

    assert len(await rows(database)) == 1


async def test_replays_use_up_no_ids(database: Database) -> None:
    acceptance = acceptance_of(database)
    for _ in range(5):
        await acceptance.accept({}, "one")

    assert (await acceptance.accept({})).aggregate_id == 2


async def test_key_expires_even_when_nobody_pruned_it(database: Database) -> None:
    acceptance = acceptance_of(database, PollingSettings(key_retention=60))
    first = await acceptance.accept({"a": 1}, "one")
    await execute(database, "UPDATE polling_idempotency_key SET created_at = now() - interval '61 s' RETURNING key")

    second = await acceptance.accept({"a": 2}, "one")

    assert second.aggregate_id != first.aggregate_id
    assert await acceptance.accept({"a": 2}, "one") == second


async def test_full_backlog_is_refused_and_replays_are_answered(database: Database) -> None:
    acceptance = acceptance_of(database, PollingSettings(backlog_cap=2))
    first = await acceptance.accept({}, "one")
    await acceptance.accept({})

    with pytest.raises(BacklogFullError) as refused:
        await acceptance.accept({})
    with pytest.raises(BacklogFullError):
        await acceptance.accept({}, "two")

    assert refused.value.retry_after_s
    assert await acceptance.accept({}, "one") == first


@pytest.mark.parametrize(
    "payload",
    [{"a": "x\0y"}, {"a\0": 1}, {"a": float("nan")}, {"a": float("inf")}, {"a": "\ud800"}, {"\ud800": 1}, {"a": 2**64}],
    ids=["nul", "nul in a key", "nan", "infinity", "surrogate", "surrogate in a key", "65 bits"],
)
async def test_what_jsonb_cannot_keep_is_refused(database: Database, payload: dict[str, object]) -> None:
    with pytest.raises(PayloadError):
        await acceptance_of(database).accept(payload, "one")

    assert await rows(database) == []


async def test_views_show_the_latest_of_each_task_that_was_queued(database: Database) -> None:
    accepted = await acceptance_of(database).accept({})

    (view,) = await task_views(database, THINGS, accepted.aggregate_id)

    assert (view.task, view.task_id, view.status) == ("order_confirmation", accepted.task_id, "PENDING")
    assert await task_views(database, THINGS, 999) == []
