"""The poller: what it claims, when it sleeps, and what it gives back."""

import asyncio
import time
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from {{ cookiecutter.package_name }}.polling.api import (
    Burn,
    ClaimedTask,
    Completed,
    Outcome,
    Reject,
    StillPending,
    Submitted,
    Verdict,
    Wait,
)
from {{ cookiecutter.package_name }}.polling.database import Database
from {{ cookiecutter.package_name }}.polling.further_task import FurtherTask
from {{ cookiecutter.package_name }}.polling.isolation import Isolation
from {{ cookiecutter.package_name }}.polling.poller import Lane, Poller
from {{ cookiecutter.package_name }}.polling.settings import PollingSettings
from {{ cookiecutter.package_name }}.polling.settlement import POISON
from {{ cookiecutter.package_name }}.polling.store import TaskStore

from tests.integration.polling.workshop import (
    FAST,
    FIRST,
    SECOND,
    THINGS,
    FakeSystem,
    OpenGate,
    accepted,
    burn,
    done,
    execute,
    poller_of,
    rows,
    running,
    statuses,
)
from tests.waiting import LIMIT_S, eventually

LAZY = PollingSettings(lease=300, interval=300, poll_base=0.02)
"""Nothing but a wake-up, or a due row, ends this poller's sleep within a test (`eventually` waits for 15 s)."""


async def claimed(database: Database) -> int:
    return sum(row.claimed_by is not None for row in await rows(database))


async def completed(database: Database, n: int) -> None:
    await eventually(lambda: statuses(database), lambda seen: seen["COMPLETED"] == n)


async def test_submits_once_polls_and_completes(database: Database) -> None:
    gate = OpenGate()
    system = FakeSystem(gate)
    await accepted(database, 30)

    async with running(poller_of(database, gate, system)):
        await completed(database, 30)

    assert set(system.submissions.values()) == {1}
    assert len(system.submissions) == 30
    assert system.most_at_once <= 16
    assert all(row.claimed_by is None and row.finished_at for row in await rows(database))


async def test_a_wake_up_starts_at_once_and_a_due_row_by_itself(database: Database) -> None:
    gate = OpenGate()
    poller = poller_of(database, gate, FakeSystem(gate), LAZY)

    async with running(poller):
        await asyncio.sleep(0.2)  # it sleeps by now, for up to five minutes
        await accepted(database, 1)
        poller.wake("order_confirmation")
        await completed(database, 1)


async def test_no_wake_up_is_lost(database: Database) -> None:
    """Each one comes while the poller is anywhere between claim and sleep; a lost one would cost five minutes."""
    gate = OpenGate()
    poller = poller_of(database, gate, FakeSystem(gate, done), LAZY)

    async with running(poller):
        for number in range(1, 60):
            await accepted(database, 1)
            poller.wake("order_confirmation")
            await asyncio.sleep(0.003 * (number % 5))
        await completed(database, 59)


async def test_what_another_process_queued_is_found_within_the_interval(database: Database) -> None:
    gate = OpenGate()
    settings = PollingSettings(lease=30, interval=0.3)

    async with running(poller_of(database, gate, FakeSystem(gate, done), settings)):
        await asyncio.sleep(0.2)
        await accepted(database, 1)
        async with asyncio.timeout(1.5):
            await completed(database, 1)


async def test_a_backlog_of_one_task_does_not_delay_another(database: Database) -> None:
    gate = OpenGate(room=4)

    async def slow(_: ClaimedTask) -> Outcome:
        await asyncio.sleep(0.02)
        return Completed()

    system = FakeSystem(gate, slow)
    await execute(
        database,
        "WITH t AS (INSERT INTO orders (payload) SELECT '{}' FROM generate_series(1, 10000) RETURNING order_id) "
        "INSERT INTO order_confirmation_task (order_id, payload) SELECT order_id, '{}' FROM t RETURNING 1",
    )
    lanes = [Lane("order_confirmation", FIRST, system), Lane("order_receipt", SECOND, system)]
    poller = Poller(
        system="bank",
        lanes=lanes,
        gate=gate,
        judge=burn,
        database=database,
        settings=LAZY,
        concurrency=4,
        isolation=Isolation(),
    )

    async with running(poller):
        await asyncio.sleep(0.3)
        await FurtherTask(database, THINGS, SECOND, FAST).queue(1)
        poller.wake("order_receipt")
        await eventually(lambda: statuses(database, SECOND), lambda seen: seen["COMPLETED"] == 1)

    assert (await statuses(database))["COMPLETED"] < 5000  # the backlog goes on, for a minute


async def test_one_hung_call_delays_no_other(database: Database) -> None:
    gate = OpenGate(room=4)
    release = asyncio.Event()

    async def hangs_first(task: ClaimedTask) -> Outcome:
        if task.task_id == 1:
            await release.wait()
        return Completed()

    await accepted(database, 40)
    async with running(poller_of(database, gate, FakeSystem(gate, hangs_first), concurrency=4)):
        await completed(database, 39)
        release.set()
        await completed(database, 40)


async def test_claims_no_more_than_it_can_run_soon(database: Database) -> None:
    gate = OpenGate(room=4)
    release = asyncio.Event()

    async def hangs(_: ClaimedTask) -> Outcome:
        await release.wait()
        return Completed()

    await accepted(database, 50)
    async with running(poller_of(database, gate, FakeSystem(gate, hangs), concurrency=4)):
        await eventually(lambda: claimed(database), lambda held: held >= 4)
        await asyncio.sleep(0.3)  # time to claim more than that, if it did
        held = await claimed(database)
        release.set()

    assert held <= 6


async def test_nothing_is_claimed_while_the_gate_is_shut_whatever_wakes_it(database: Database) -> None:
    gate = OpenGate()
    gate.closed_s = 60
    system = FakeSystem(gate, done)
    await accepted(database, 200)
    poller = poller_of(database, gate, system)

    async with running(poller):
        for _ in range(20):
            poller.wake("order_confirmation")
            await poller.tick()
            await asyncio.sleep(0.01)
        assert system.handled == []
        assert {row.claim_no for row in await rows(database)} == {0}

        gate.change(closed_s=0)
        await completed(database, 200)


async def test_half_open_claims_the_trials_only(database: Database) -> None:
    gate = OpenGate(room=2)
    release = asyncio.Event()

    async def hangs(_: ClaimedTask) -> Outcome:
        await release.wait()
        return Completed()

    await accepted(database, 100)
    async with running(poller_of(database, gate, FakeSystem(gate, hangs))):
        await eventually(lambda: claimed(database), lambda held: held >= 2)
        await asyncio.sleep(0.3)  # time to claim more than that, if it did
        touched = [row for row in await rows(database) if row.claim_no]
        release.set()

    assert len(touched) == 2


class Outage:
    """Fails until it is over; its gate shuts after some failures and lets one trial through at a time, as a breaker."""

    def __init__(self, gate: OpenGate, tolerated: int = 5) -> None:
        self.gate = gate
        self.failing = True
        self.failures = 0
        self.tolerated = tolerated

    async def handle(self, _: ClaimedTask) -> Outcome:
        self.gate.in_use += 1
        try:
            await asyncio.sleep(0.01)
            if not self.failing:
                self.gate.change(closed_s=0, room=16)
                return Completed()
            self.failures += 1
            if self.failures >= self.tolerated:
                self.gate.change(closed_s=0.1)
                asyncio.get_running_loop().call_later(0.1, lambda: self.gate.change(closed_s=0, room=1))
            raise TimeoutError("no answer")
        finally:
            self.gate.in_use -= 1


async def test_an_outage_touches_few_rows_burns_no_trial_and_ends_at_once(database: Database) -> None:
    """Trials are not burned, and when the circuit closes what paid for the outage comes forward."""
    gate = OpenGate(room=4)
    outage = Outage(gate)
    await accepted(database, 300)
    # From here on a burned attempt waits for four minutes.
    await execute(database, "UPDATE order_confirmation_task SET retry_count = 8 RETURNING 1")

    async with running(poller_of(database, gate, outage, LAZY, concurrency=4)):
        await asyncio.sleep(1.5)
        during = await rows(database)
        outage.failing = False
        await completed(database, 300)  # without being brought forward: after four minutes

    assert sum(row.claim_no for row in during) <= 60
    assert sum(row.retry_count - 8 for row in during) <= 8


async def test_a_system_that_asks_for_rest_gets_it(database: Database) -> None:
    gate = OpenGate(room=1)
    started = []

    async def throttled_once(_: ClaimedTask) -> Outcome:
        started.append(time.monotonic())
        if len(started) == 1:
            raise ConnectionError("429")
        return Completed()

    await accepted(database, 3)
    settings = PollingSettings(lease=30, interval=0.05)
    poller = poller_of(
        database, gate, FakeSystem(gate, throttled_once), settings, judge=lambda _: Wait("429", 0.5), concurrency=1
    )

    async with running(poller):
        await completed(database, 3)

    assert started[1] - started[0] >= 0.45
    assert {row.retry_count for row in await rows(database)} == {0}


@pytest.mark.parametrize(
    ("verdict", "status", "retries"),
    [(Burn("x"), "PENDING", 1), (Wait("x", 60), "PENDING", 0), (Reject("x"), "FAILED", 0)],
    ids=["burn", "wait", "reject"],
)
async def test_the_judge_decides_what_an_error_means(
    database: Database, verdict: Verdict, status: str, retries: int
) -> None:
    gate = OpenGate()

    async def fails(_: ClaimedTask) -> Outcome:
        raise LookupError

    await accepted(database, 1)
    async with running(poller_of(database, gate, FakeSystem(gate, fails), judge=lambda _: verdict)):
        (row,) = await eventually(lambda: rows(database), lambda seen: seen[0].last_error is not None)

    assert (row.status, row.retry_count, row.last_error) == (status, retries, "x")


async def test_a_judge_that_fails_burns_an_attempt(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    gate = OpenGate()

    async def fails(_: ClaimedTask) -> Outcome:
        raise LookupError

    def no_judge(_: Exception) -> Verdict:
        raise RuntimeError("no law")

    await accepted(database, 1)
    async with running(poller_of(database, gate, FakeSystem(gate, fails), judge=no_judge)):
        (row,) = await eventually(lambda: rows(database), lambda seen: seen[0].last_error is not None)

    assert (row.retry_count, "no law" in row.last_error) == (1, True)
    assert "task.judge_failed" in caplog.messages


async def test_a_handler_that_answers_nonsense_burns_an_attempt(database: Database) -> None:
    gate = OpenGate()

    async def nonsense(_: ClaimedTask) -> Any:
        return None

    await accepted(database, 1)
    async with running(poller_of(database, gate, FakeSystem(gate, nonsense))):
        (row,) = await eventually(lambda: rows(database), lambda seen: seen[0].last_error is not None)

    assert "NoneType" in row.last_error


async def test_a_writer_that_fails_for_a_reason_of_its_own_ends_the_poller(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Going on without it would keep rows leased for ever, and nobody would know."""

    async def broken(*_: object) -> None:
        raise LookupError("a fault in the kit")

    monkeypatch.setattr(TaskStore, "settle", broken)
    gate = OpenGate()
    await accepted(database, 1)

    with pytest.raises(ExceptionGroup) as ended:
        async with asyncio.timeout(LIMIT_S):
            await poller_of(database, gate, FakeSystem(gate, done)).run()

    assert isinstance(ended.value.exceptions[0], LookupError)


async def test_stopping_finishes_what_runs_and_hands_back_the_rest_unburned(database: Database) -> None:
    gate = OpenGate(room=4)
    stopping = asyncio.Event()

    async def slow(_: ClaimedTask) -> Outcome:
        await stopping.wait()
        return Completed()

    await accepted(database, 40)
    poller = poller_of(database, gate, FakeSystem(gate, slow), concurrency=4)
    run = asyncio.create_task(poller.run())
    await eventually(lambda: claimed(database), lambda held: held >= 4)
    await asyncio.sleep(0.1)  # time to start what was claimed
    poller.stop_claiming()
    stopping.set()
    await run

    seen = await rows(database)
    assert Counter(row.status for row in seen) == {"COMPLETED": 4, "PENDING": 36}
    assert all((row.claimed_by, row.retry_count, row.no_outcome) == (None, 0, 0) for row in seen)
    assert all(row.next_attempt_at - row.created_at < timedelta(seconds=1) for row in seen if row.status == "PENDING")


async def test_what_outlasts_the_grace_is_cancelled_and_handed_back(database: Database) -> None:
    gate = OpenGate()

    async def hangs(_: ClaimedTask) -> Outcome:
        await asyncio.sleep(60)
        return Completed()

    await accepted(database, 2)
    settings = PollingSettings(lease=30, interval=1, shutdown_grace=0.5)
    poller = poller_of(database, gate, FakeSystem(gate, hangs), settings)
    run = asyncio.create_task(poller.run())
    await asyncio.sleep(0.2)
    poller.stop_claiming()
    await run

    assert all((row.status, row.claimed_by, row.retry_count) == ("PENDING", None, 0) for row in await rows(database))


async def test_a_lease_is_renewed_while_its_handler_runs(database: Database) -> None:
    gate = OpenGate()

    async def long(_: ClaimedTask) -> Outcome:
        await asyncio.sleep(1.6)
        return Completed()

    await accepted(database, 1)
    system = FakeSystem(gate, long)
    settings = PollingSettings(lease=0.6, interval=0.2)
    async with (
        running(poller_of(database, gate, system, settings)),
        running(poller_of(database, OpenGate(), system, settings)),
    ):
        await completed(database, 1)

    assert system.handled == [1]


async def test_a_handler_whose_row_was_taken_is_cancelled_and_writes_nothing(database: Database) -> None:
    gate = OpenGate()
    cancelled = asyncio.Event()

    async def hangs(_: ClaimedTask) -> Outcome:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return Completed()

    await accepted(database, 1)
    async with running(poller_of(database, gate, FakeSystem(gate, hangs), PollingSettings(lease=0.6, interval=0.5))):
        await eventually(lambda: rows(database), lambda seen: seen[0].claimed_by is not None)
        await execute(
            database,
            "UPDATE order_confirmation_task SET status = 'CANCELLED', claim_no = claim_no + 1, claimed_by = NULL "
            "RETURNING 1",
        )
        async with asyncio.timeout(2):
            await cancelled.wait()

    (row,) = await rows(database)
    assert (row.status, row.claim_no) == ("CANCELLED", 2)


async def test_a_row_that_kills_its_process_ends_as_poison_and_a_suspect_runs_alone(database: Database) -> None:
    gate = OpenGate()
    together: list[set[int]] = []
    at_work: set[int] = set()

    async def watched(task: ClaimedTask) -> Outcome:
        at_work.add(task.task_id)
        together.append(set(at_work))
        await asyncio.sleep(0.02)
        at_work.discard(task.task_id)
        return Completed()

    await accepted(database, 12)
    settings = PollingSettings(lease=30, interval=0.2, poison_after=3)
    await execute(
        database,
        "UPDATE order_confirmation_task SET no_outcome = task_id - 2 WHERE task_id IN (5, 6) RETURNING 1",
    )
    async with running(poller_of(database, gate, FakeSystem(gate, watched), settings)):
        await eventually(lambda: statuses(database), lambda seen: seen == {"COMPLETED": 11, "FAILED": 1})

    seen = {row.task_id: row for row in await rows(database)}
    assert (seen[6].status, seen[6].last_error) == ("FAILED", POISON)
    assert all(6 not in others for others in together)
    assert all(others == {5} for others in together if 5 in others)
    assert seen[5].no_outcome == 0


async def test_submit_and_poll_are_two_steps_and_the_key_stays(database: Database) -> None:
    gate = OpenGate()
    keys = []

    async def forgetful(task: ClaimedTask) -> Outcome:
        keys.append(task.idempotency_key)
        if task.external_id is None:
            if task.retry_count == 0:
                raise TimeoutError
            return Submitted("op")
        return Completed() if task.poll_count else StillPending()

    await accepted(database, 1)
    judged = poller_of(database, gate, FakeSystem(gate, forgetful), judge=lambda _: Burn("timeout"))
    async with running(judged):
        await eventually(lambda: rows(database), lambda seen: seen[0].retry_count == 1)
        await execute(database, "UPDATE order_confirmation_task SET next_attempt_at = now() RETURNING 1")
        await completed(database, 1)

    assert len(keys) == 4
    assert len(set(keys)) == 1
