"""Retention and gauges."""

import asyncio
from datetime import UTC, datetime

from prometheus_client import REGISTRY

from {{ cookiecutter.package_name }}.polling.api import Event
from {{ cookiecutter.package_name }}.polling.database import Database, open_database
from {{ cookiecutter.package_name }}.polling.further_task import FurtherTask
from {{ cookiecutter.package_name }}.polling.retention import prune
from {{ cookiecutter.package_name }}.polling.settings import DatabaseSettings, PollingSettings
from {{ cookiecutter.package_name }}.polling.stats import TaskStats

from tests.integration.polling.workshop import FAST, FIRST, SECOND, THINGS, accepted, execute, rows

TABLES = [FIRST, SECOND]
END = """UPDATE order_confirmation_task SET status = CAST(:status AS text),
finished_at = now() - interval '8 days', created_at = now() - interval '9 days'
WHERE task_id = ANY(CAST(:ids AS bigint[])) RETURNING 1"""


async def test_prune_deletes_what_is_past_its_retention_and_nothing_else(database: Database) -> None:
    ids = await accepted(database, 10)
    await execute(database, END, status="COMPLETED", ids=ids[:4])
    await execute(database, END, status="FAILED", ids=ids[4:6])

    gone = await prune(database, TABLES, PollingSettings(prune_batch=2))

    assert gone == 4
    assert [row.task_id for row in await rows(database)] == ids[4:]


async def test_prune_of_many_batches_ends_and_two_at_once_do_no_harm(database: Database) -> None:
    ids = await accepted(database, 30)
    await execute(database, END, status="COMPLETED", ids=ids[:25])

    settings = PollingSettings(prune_batch=3)
    await asyncio.gather(prune(database, TABLES, settings), prune(database, TABLES, settings))
    await prune(database, TABLES, settings)

    assert [row.task_id for row in await rows(database)] == ids[25:]


async def test_prune_drops_old_keys_and_published_events_but_no_others(database: Database) -> None:
    await execute(
        database,
        "INSERT INTO polling_idempotency_key (scope, key, fingerprint, aggregate_id, task_id, created_at) "
        "SELECT 's', n, 'f', 1, 1, now() - n * interval '10 h' FROM generate_series(1, 4) AS n RETURNING 1",
    )
    await execute(
        database,
        "INSERT INTO polling_outbox (topic, task, task_id, aggregate, aggregate_id, published_at) "
        "SELECT 't', 't', n, 'a', 1, CASE WHEN n < 3 THEN now() - interval '8 days' END "
        "FROM generate_series(1, 4) AS n RETURNING 1",
    )
    await execute(
        database,
        "INSERT INTO polling_delivery (event_id, subscription, aggregate, aggregate_id) VALUES (2, 's', 'a', 1) "
        "RETURNING 1",
    )

    await prune(database, TABLES, PollingSettings())

    keys = await execute(database, "SELECT key FROM polling_idempotency_key ORDER BY key")
    assert [row.key for row in keys] == ["1", "2"]
    events = await execute(database, "SELECT event_id FROM polling_outbox ORDER BY event_id")
    assert [row.event_id for row in events] == [2, 3, 4]


async def test_a_key_of_an_event_goes_with_its_event(database: Database) -> None:
    await execute(
        database,
        "INSERT INTO polling_outbox (topic, task, task_id, aggregate, aggregate_id, published_at) "
        "SELECT 't', 't', n, 'order', n, now() - n * interval '5 days' FROM generate_series(1, 2) AS n RETURNING 1",
    )
    await accepted(database, 2)
    further = FurtherTask(database, THINGS, SECOND, FAST)
    for event_id in (1, 2):
        await further.follow(Event(event_id, "t", "t", event_id, event_id, None, datetime.now(UTC)))

    await prune(database, TABLES, PollingSettings(key_retention=0.001))

    keys = await execute(database, "SELECT scope, key FROM polling_idempotency_key")
    assert [tuple(row) for row in keys] == [("event:order_receipt", "1")]


def value(name: str, **labels: str) -> float | None:
    return REGISTRY.get_sample_value(name, labels)


async def test_gauges_show_what_waits(database: Database) -> None:
    await accepted(database, 3)
    await execute(
        database,
        "UPDATE order_confirmation_task SET next_attempt_at = now() - interval '100 s' WHERE task_id = 1 RETURNING 1",
    )
    await execute(
        database,
        "INSERT INTO polling_outbox (topic, task, task_id, aggregate, aggregate_id, created_at) "
        "VALUES ('order_confirmation.failed', 'order_confirmation', 1, 'a', 1, now() - interval '50 s') RETURNING 1",
    )

    await TaskStats(database, TABLES, FAST).read()

    task = "order_confirmation"
    assert value("task_count", task=task, status="PENDING") == 3
    assert value("task_count", task=task, status="FAILED") == 0
    assert value("task_due", task=task) == 3
    assert 99 < (value("task_oldest_due_age_seconds", task=task) or 0) < 110
    assert value("task_oldest_due_age_seconds", task="order_receipt") == 0
    assert value("outbox_unpublished", topic=f"{task}.failed") == 1
    assert 49 < (value("outbox_oldest_unpublished_age_seconds", topic=f"{task}.failed") or 0) < 60
    assert value("outbox_unpublished", topic=f"{task}.completed") == 0
    assert value("task_stats_last_success_timestamp_seconds")


async def test_gauges_are_gone_while_the_database_is(database: Database) -> None:
    await TaskStats(database, TABLES, FAST).read()
    async with open_database("postgresql+asyncpg://postgres@127.0.0.1:1/none", DatabaseSettings()) as nowhere:
        stats = TaskStats(nowhere, TABLES, FAST)
        run = asyncio.create_task(stats.run())
        await asyncio.sleep(0.3)
        run.cancel()

    assert value("task_count", task="order_confirmation", status="PENDING") is None
    assert value("task_stats_last_success_timestamp_seconds") == 0
