"""What the guide shows and what a user would write: its scheduler as printed, and the sleep loop that it warns of.

The scheduler ticks every 5 s, takes 50 rows with FOR UPDATE SKIP LOCKED and holds the locks and one transaction while
it asks the system for one row after the other. It is measured over a few ticks: to the end it would take an hour.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from benched.adapters.outbound.db.tasks.order_confirmation import order_confirmation_tasks
from queue_load import WAIT_S, Pickups, run
from queue_store import Orders
from queue_tables import preload
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.orm import registry

TICK_S = 5
TICKS = 3
LIMIT = 50
ROWS = LIMIT * (TICKS + 1)


class Row:
    """One row of the task table, mapped as a session wants it."""

    status: str
    payload: dict[str, int]


registry().map_imperatively(Row, order_confirmation_tasks)
COLUMNS = order_confirmation_tasks.c


class Scheduler:
    """`run_due` as in the guide."""

    def __init__(self, engine: AsyncEngine, ask: Callable[[Row], Awaitable[None]]) -> None:
        self._engine = engine
        self._ask = ask
        self.done = 0

    async def run_due(self) -> None:
        """Take what is due, ask for each, one by one; commit at the end."""
        async with AsyncSession(self._engine) as session, session.begin():
            due = (
                select(Row)
                .where(COLUMNS.status.in_(["PENDING", "IN_PROGRESS"]), COLUMNS.next_attempt_at <= datetime.now(UTC))
                .order_by(COLUMNS.next_attempt_at)
                .limit(LIMIT)
                .with_for_update(skip_locked=True)
            )
            for row in await session.scalars(due):
                await self._ask(row)
                row.status = "COMPLETED"
                self.done += 1


async def _ticking(url: str, ask: Callable[[Row], Awaitable[None]], meanwhile: Callable[[], Awaitable[None]]) -> int:
    engine = create_async_engine(url)
    scheduler, clock = Scheduler(engine, ask), AsyncIOScheduler()
    clock.add_job(scheduler.run_due, "interval", seconds=TICK_S, max_instances=1)
    clock.start()
    try:
        await meanwhile()
    finally:
        clock.pause()
        await asyncio.sleep(2 * LIMIT * WAIT_S)  # a tick that has begun
        clock.shutdown(wait=False)
        await engine.dispose()
    return scheduler.done


async def _rate(url: str, wait_s: float) -> dict[str, float]:
    await preload(url, ROWS)

    async def ask(_: Row) -> None:
        if wait_s:
            await asyncio.sleep(wait_s)

    done = await _ticking(url, ask, lambda: asyncio.sleep(TICKS * TICK_S + 0.5))
    if not done:
        raise ValueError("no tick ran")
    return {"rate": done / (TICKS * TICK_S)}


async def drain(url: str) -> dict[str, float]:
    """Tasks that wait for nothing."""
    return await _rate(url, 0)


async def waiting(url: str) -> dict[str, float]:
    """Tasks that wait for an external system."""
    return await _rate(url, WAIT_S)


async def pickup(url: str) -> dict[str, float]:
    """Nobody wakes it."""
    pickups = Pickups()
    result: dict[str, float] = {}

    async def ask(row: Row) -> None:
        pickups.picked(row.payload["number"])

    async with Orders.open(url) as orders:

        async def measure() -> None:
            result.update(await pickups.run(orders.accept, count=40, pause_s=(0.2, 0.4), patience_s=2 * TICK_S))

        await _ticking(url, ask, measure)
    return result


if __name__ == "__main__":
    run({"drain": drain, "waiting": waiting, "pickup": pickup})
