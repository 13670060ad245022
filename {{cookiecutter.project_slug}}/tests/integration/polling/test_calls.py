"""What a crash would repeat: calls that were made and whose outcome is not stored yet."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from uuid import uuid4

import pytest

from {{ cookiecutter.package_name }}.polling.api import ClaimedTask, Completed, Outcome
from {{ cookiecutter.package_name }}.polling.calls import SHORT_CALL_S, UNWRITTEN_RATIO, Calls
from {{ cookiecutter.package_name }}.polling.database import Database
from {{ cookiecutter.package_name }}.polling.isolation import Isolation
from {{ cookiecutter.package_name }}.polling.judgement import Judgement
from {{ cookiecutter.package_name }}.polling.ledger import Lane, Ledger
from {{ cookiecutter.package_name }}.polling.outage import Outage
from {{ cookiecutter.package_name }}.polling.settlement import Settlement
from {{ cookiecutter.package_name }}.polling.store import Claimed, TaskStore

from tests.integration.polling.workshop import FAST, FIRST, FakeSystem, OpenGate, burn, done
from tests.waiting import eventually

CONCURRENCY = 8
ROWS = 60


class SlowDatabase(TaskStore):
    """Claims as usual; writes nothing before it is told to."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, FIRST, FAST, worker="w")
        self.may_write = asyncio.Event()

    async def settle(self, batch: Sequence[Settlement]) -> Mapping[int, str]:
        await self.may_write.wait()
        return {settlement.task_id: "COMPLETED" for settlement in batch}


@asynccontextmanager
async def claimed(
    database: Database, step: Callable[[ClaimedTask], Awaitable[Outcome]], *, external_id: str | None = None
) -> AsyncIterator[tuple[FakeSystem, SlowDatabase]]:
    """Start what may be started of many claimed rows, while no outcome can be stored."""
    gate = OpenGate()
    system, store = FakeSystem(gate, step), SlowDatabase(database)
    calls: list[Calls] = []
    ledger = Ledger(
        Lane("order_confirmation", FIRST, system), store, FAST.lease, CONCURRENCY, lambda _: calls[0].start_soon()
    )
    outage = Outage(gate, CONCURRENCY, lambda: None)
    judgement = Judgement("bank", burn, outage, FAST)
    calls.append(Calls([ledger], outage, judgement, Isolation(), FAST, CONCURRENCY, changed=lambda: None))
    tasks = [
        ClaimedTask(n, "order_confirmation", n, uuid4(), {}, external_id, 0, 0, 1, 1, None) for n in range(1, ROWS + 1)
    ]
    calls[0].add(ledger.take([Claimed(task, 0.0, taken_over=False) for task in tasks], time.monotonic()))
    writing = asyncio.create_task(ledger.write_forever())
    calls[0].start()
    try:
        yield system, store
    finally:
        writing.cancel()
        with suppress(asyncio.CancelledError):
            await writing


async def made(system: FakeSystem) -> int:
    return len(system.handled)


async def settled(system: FakeSystem) -> int:
    """Return how many calls were made once that number no longer grows."""
    seen = -1
    while seen != len(system.handled):
        seen = len(system.handled)
        await asyncio.sleep(3 * SHORT_CALL_S)
    return seen


async def long(_: ClaimedTask) -> Outcome:
    await asyncio.sleep(1.5 * SHORT_CALL_S)
    return Completed()


async def test_at_most_the_concurrency_is_repeated_after_a_crash(database: Database) -> None:
    async with claimed(database, long) as (system, store):
        assert await settled(system) == CONCURRENCY

        store.may_write.set()
        await eventually(lambda: made(system), lambda n: n == ROWS)


async def test_short_calls_may_be_ahead_of_their_writes_by_a_part_of_it(database: Database) -> None:
    async with claimed(database, done) as (system, store):
        assert await settled(system) == CONCURRENCY * (1 + UNWRITTEN_RATIO)

        store.may_write.set()
        await eventually(lambda: made(system), lambda n: n == ROWS)


@pytest.mark.parametrize("step", [long, done])
async def test_asking_for_a_status_repeats_nothing_and_waits_for_no_write(
    database: Database, step: Callable[[ClaimedTask], Awaitable[Outcome]]
) -> None:
    async with claimed(database, step, external_id="known") as (system, _):
        await eventually(lambda: made(system), lambda n: n == ROWS)


async def test_a_row_that_is_claimed_again_here_is_held_by_its_new_claim_only(database: Database) -> None:
    """The lease ran out while the call went on: the old call is cancelled, and its end does not let go of the row."""
    store = SlowDatabase(database)
    ledger = Ledger(Lane("order_confirmation", FIRST, FakeSystem(OpenGate())), store, FAST.lease, CONCURRENCY, print)
    task = ClaimedTask(1, "order_confirmation", 1, uuid4(), {}, None, 0, 0, 1, 1, None)
    (old,) = ledger.take([Claimed(task, 0.0, taken_over=False)], time.monotonic())
    old.running = asyncio.create_task(long(task))

    (new,) = ledger.take([Claimed(replace(task, claim_no=2), 0.0, taken_over=True)], time.monotonic())
    with pytest.raises(asyncio.CancelledError):
        await old.running
    ledger.drop(old)

    assert old.is_lost
    assert list(ledger.held.values()) == [new]
