"""Claim, renew and settle: leases, fencing, and what burns an attempt, as the row shows it."""

import asyncio
from dataclasses import replace

import pytest

from {{ cookiecutter.package_name }}.polling.api import (
    Burn,
    ClaimedTask,
    Completed,
    Reject,
    Rejected,
    StillPending,
    Submitted,
    Wait,
)
from {{ cookiecutter.package_name }}.polling.database import Database
from {{ cookiecutter.package_name }}.polling.settings import PollingSettings
from {{ cookiecutter.package_name }}.polling.settlement import (
    POISON,
    TOO_LATE,
    Settlement,
    poisoned,
    released,
    settle,
    settle_verdict,
)
from {{ cookiecutter.package_name }}.polling.store import TaskStore

from tests.integration.polling.workshop import FAST, FIRST, AnyRow, accepted, execute, rows

DUE = "UPDATE order_confirmation_task SET next_attempt_at = now() - interval '1 s' RETURNING task_id"


def store_of(database: Database, settings: PollingSettings = FAST, worker: str = "worker") -> TaskStore:
    return TaskStore(database, FIRST, settings, worker)


async def claim_one(database: Database, settings: PollingSettings = FAST) -> ClaimedTask:
    await execute(database, DUE)
    (claimed,) = await store_of(database, settings).claim(1)
    return claimed.task


async def row_after(database: Database, settlement: Settlement, settings: PollingSettings = FAST) -> AnyRow:
    assert settlement.task_id in await store_of(database, settings).settle([settlement])
    return (await rows(database))[0]


async def events(database: Database) -> list[tuple[str, str | None]]:
    return [(row.topic, row.reason) for row in await execute(database, "SELECT topic, reason FROM polling_outbox")]


async def test_claim_leases_the_longest_due_first_and_never_more_than_asked(database: Database) -> None:
    ids = await accepted(database, 5)
    await execute(
        database, "UPDATE order_confirmation_task SET next_attempt_at = now() - task_id * interval '1 s' RETURNING 1"
    )

    claimed = await store_of(database).claim(3)

    assert {c.task.task_id for c in claimed} == set(ids[2:])
    assert all((c.task.claim_no, c.task.no_outcome, c.taken_over) == (1, 1, False) for c in claimed)
    held = [row for row in await rows(database) if row.claimed_by]
    assert {row.task_id for row in held} == set(ids[2:])


async def test_numbers_that_only_jsonb_knows_are_read_all_the_same(database: Database) -> None:
    await accepted(database, 1)
    await execute(database, """UPDATE order_confirmation_task SET payload = '{"n": 1e400}' RETURNING 1""")

    assert (await claim_one(database)).payload == {"n": 10**400}


async def test_two_workers_never_claim_the_same_row(database: Database) -> None:
    await accepted(database, 40)
    stores = [store_of(database, worker=f"worker {n}") for n in range(8)]

    batches = await asyncio.gather(*(store.claim(10) for store in stores))

    ids = [claimed.task.task_id for batch in batches for claimed in batch]
    assert len(ids) == len(set(ids)) == 40


async def test_expired_lease_is_a_due_row_and_its_old_owner_is_fenced(database: Database) -> None:
    await accepted(database, 1)
    store = store_of(database, FAST.model_copy(update={"lease": 0.05}))
    (old,) = await store.claim(1)
    await asyncio.sleep(0.1)
    (new,) = await store_of(database, worker="other").claim(1)

    assert new.taken_over
    assert (new.task.claim_no, new.task.no_outcome) == (2, 2)
    assert new.task.idempotency_key == old.task.idempotency_key
    assert await store.settle([settle(old.task, Completed(), FAST)]) == {}
    assert await store.settle([settle(old.task, Submitted("lost"), FAST)]) == {}
    assert await store.renew([(old.task.task_id, old.task.claim_no)]) == {}
    assert await store.settle([settle(new.task, Completed(), FAST)]) == {1: "COMPLETED"}
    assert await events(database) == [("order_confirmation.completed", None)]


async def test_nothing_may_be_written_after_a_hand_back(database: Database) -> None:
    await accepted(database, 1)
    task = await claim_one(database)
    store = store_of(database)
    await store.settle([released(task)])

    assert await store.settle([settle(task, Completed(), FAST)]) == {}
    assert await store.renew([(task.task_id, task.claim_no)]) == {}


async def test_renewal_extends_what_is_held_and_waits_for_nobody(database: Database) -> None:
    await accepted(database, 2)
    store = store_of(database)
    pairs = [(c.task.task_id, c.task.claim_no) for c in await store.claim(2)]

    async with database.transaction() as connection:
        await connection.execute(FIRST.select().where(FIRST.c.task_id == 1).with_for_update())
        async with asyncio.timeout(1):
            assert await store.renew(pairs) == {1: False, 2: True}


async def test_submitted_is_in_progress_with_its_id_and_a_deadline(database: Database) -> None:
    await accepted(database, 1)

    row = await row_after(database, settle(await claim_one(database), Submitted("op-1"), FAST))

    assert (row.status, row.external_id, row.retry_count, row.poll_count) == ("IN_PROGRESS", "op-1", 0, 0)
    assert row.deadline_at is not None
    assert (row.claimed_by, row.no_outcome, row.finished_at) == (None, 0, None)


async def test_pending_polls_later_and_later_and_burns_nothing(database: Database) -> None:
    await accepted(database, 1)
    settings = PollingSettings(poll_base=1, backoff_max=6)
    await row_after(database, settle(await claim_one(database), Submitted("op-1"), settings), settings)

    waits = []
    for _ in range(4):
        row = await row_after(database, settle(await claim_one(database), StillPending(), settings), settings)
        waits.append(round((row.next_attempt_at - row.updated_at).total_seconds(), 3))

    assert waits == [2, 4, 6, 6]
    assert (row.status, row.retry_count, row.poll_count) == ("IN_PROGRESS", 0, 4)


async def test_deadline_ends_what_its_system_never_settles(database: Database) -> None:
    await accepted(database, 1)
    await row_after(database, settle(await claim_one(database), Submitted("op-1"), FAST))
    soon = "UPDATE order_confirmation_task SET deadline_at = now() + interval '1 s' RETURNING 1"
    await execute(database, soon)
    slow = PollingSettings(poll_base=100)
    row = await row_after(database, settle(await claim_one(database), StillPending(), slow))
    assert row.next_attempt_at == row.deadline_at  # the last question comes in time
    await execute(database, soon.replace("+", "-"))

    row = await row_after(database, settle(await claim_one(database), StillPending(), FAST))

    assert (row.status, row.last_error) == ("FAILED", TOO_LATE)
    assert await events(database) == [("order_confirmation.failed", TOO_LATE)]


async def test_burned_attempts_back_off_and_the_last_one_fails(database: Database) -> None:
    await accepted(database, 1)
    settings = PollingSettings(max_attempts=3, backoff_max=300)

    seen = []
    for _ in range(3):
        task = await claim_one(database, settings)
        row = await row_after(database, settle_verdict(task, Burn("503"), settings), settings)
        seen.append((row.status, row.retry_count, (row.next_attempt_at - row.updated_at).total_seconds()))

    assert [(status, count) for status, count, _ in seen] == [("PENDING", 1), ("PENDING", 2), ("FAILED", 3)]
    assert 1.6 <= seen[0][2] <= 2.4
    assert 3.2 <= seen[1][2] <= 4.8
    assert await events(database) == [("order_confirmation.failed", "503")]
    assert row.finished_at is not None


async def test_burning_keeps_the_phase(database: Database) -> None:
    await accepted(database, 1)
    await row_after(database, settle(await claim_one(database), Submitted("op-1"), FAST))

    row = await row_after(database, settle_verdict(await claim_one(database), Burn("timeout"), FAST))

    assert (row.status, row.external_id, row.retry_count) == ("IN_PROGRESS", "op-1", 1)


async def test_a_refusal_burns_nothing_and_waits_as_told(database: Database) -> None:
    await accepted(database, 1)

    row = await row_after(database, settle_verdict(await claim_one(database), Wait("open", 30), FAST))

    assert (row.status, row.retry_count, row.no_outcome) == ("PENDING", 0, 0)
    assert 30 <= (row.next_attempt_at - row.updated_at).total_seconds() <= 36


@pytest.mark.parametrize("how", ["outcome", "verdict"])
async def test_rejection_fails_at_once_with_its_own_event(database: Database, how: str) -> None:
    await accepted(database, 1)
    task = await claim_one(database)
    rejected = settle(task, Rejected("no"), FAST) if how == "outcome" else settle_verdict(task, Reject("no"), FAST)

    row = await row_after(database, rejected)

    assert (row.status, row.last_error, row.retry_count) == ("FAILED", "no", 0)
    assert await events(database) == [("order_confirmation.rejected", "no")]


async def test_a_poisoned_row_fails(database: Database) -> None:
    await accepted(database, 1)

    row = await row_after(database, poisoned(await claim_one(database)))

    assert (row.status, row.last_error) == ("FAILED", POISON)


async def test_an_error_with_nul_and_surrogates_is_recorded(database: Database) -> None:
    await accepted(database, 1)

    row = await row_after(database, settle_verdict(await claim_one(database), Burn("a\0b\ud800" + "x" * 9000), FAST))

    assert row.last_error.startswith("ab?x")
    assert len(row.last_error) <= 2000


@pytest.mark.parametrize("external_id", ["", "a\0b", "\ud800", "x" * 2000], ids=["empty", "nul", "surrogate", "long"])
async def test_an_id_that_cannot_be_stored_burns_an_attempt(database: Database, external_id: str) -> None:
    await accepted(database, 1)

    row = await row_after(database, settle(await claim_one(database), Submitted(external_id), FAST))

    assert (row.status, row.external_id, row.retry_count) == ("PENDING", None, 1)


async def test_a_batch_of_all_outcomes_is_written_at_once(database: Database) -> None:
    await accepted(database, 5)
    tasks = [claimed.task for claimed in await store_of(database).claim(5)]
    tasks.sort(key=lambda task: task.task_id)
    batch = [
        settle(tasks[0], Completed(), FAST),
        settle(tasks[1], Submitted("op"), FAST),
        settle(tasks[2], Rejected("no"), FAST),
        settle_verdict(tasks[3], Burn("503"), FAST),
        replace(settle(tasks[4], Completed(), FAST), claim_no=7),
    ]

    written = await store_of(database).settle(batch)

    assert written == {1: "COMPLETED", 2: "IN_PROGRESS", 3: "FAILED", 4: "PENDING"}
    topics = {topic for topic, _ in await events(database)}
    assert topics == {"order_confirmation.completed", "order_confirmation.rejected"}


async def test_what_paid_for_an_outage_comes_forward_unless_somebody_has_it(database: Database) -> None:
    await accepted(database, 3)
    store = store_of(database)
    tasks = sorted((c.task for c in await store.claim(3)), key=lambda task: task.task_id)
    await store.settle([settle_verdict(task, Wait("trial", 300), FAST) for task in tasks[:2]])

    moved = await store.bring_forward([(task.task_id, task.claim_no) for task in tasks])

    assert moved == 2
    assert {c.task.task_id for c in await store.claim(3)} == {1, 2}


async def test_a_paused_task_is_not_claimed_and_not_looked_forward_to(database: Database) -> None:
    await accepted(database, 1)
    await execute(
        database, "INSERT INTO polling_pause (task, reason, actor) VALUES ('order_confirmation', 'r', 'a') RETURNING 1"
    )

    assert await store_of(database).claim(1) == []
    assert await store_of(database).next_due_in_s() is None


async def test_claim_of_a_deep_backlog_uses_the_partial_index(database: Database) -> None:
    """A bound status would cost 175 ms here; literals cost one index scan."""
    await execute(
        database,
        "WITH t AS (INSERT INTO orders (payload) SELECT '{}' FROM generate_series(1, 2000) RETURNING order_id) "
        "INSERT INTO order_confirmation_task (order_id, payload) SELECT order_id, '{}' FROM t RETURNING task_id",
    )
    plan = await execute(
        database,
        "EXPLAIN SELECT task_id FROM order_confirmation_task WHERE status IN ('PENDING', 'IN_PROGRESS') "
        "AND next_attempt_at <= now() ORDER BY next_attempt_at LIMIT 50 FOR UPDATE SKIP LOCKED",
    )

    assert any("ix_order_confirmation_task_due" in row[0] for row in plan)
