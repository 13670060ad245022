"""The service's own kit, as shipped: Acceptance, Poller and TaskStore of the bake, on its migrated tables.

`drain_plain` is the one change: the completion without its event, by taking the one CTE that inserts the event out of
the kit's statement. Everything else is the same code, so the difference is what the outbox costs.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable

from benched.adapters.outbound.db.tasks.order_confirmation import order_confirmation_tasks
from benched.infrastructure.garbage import spare_startup
from benched.polling import statements
from benched.polling.api import Burn, ClaimedTask, Completed, Verdict
from benched.polling.database import Database, open_database
from benched.polling.poller import Lane, Poller
from benched.polling.settings import DatabaseSettings, PollingSettings
from queue_load import AT_ONCE, IN_HAND, TASKS, WAIT_S, WAITING_TASKS, Countdown, Pickups, enqueue_rate, run
from queue_store import Orders
from queue_tables import completed, preload

TASK = "order_confirmation"
EVENT = re.compile(r",\no AS \(\n  INSERT INTO polling_outbox .*? FROM u\)\n", re.DOTALL)

Handle = Callable[[ClaimedTask], Awaitable[None]]


class Handler:
    """Fills the port of the poller with a function; the task is completed by it."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    async def handle(self, task: ClaimedTask) -> Completed:
        """Run the function."""
        await self._handle(task)
        return Completed()


class OpenGate:
    """A system that is always there, with room for as many calls as the poller makes at once."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once

    def room(self) -> int:
        """As many as the poller wants."""
        return self._at_once

    def closed_for_s(self) -> float:
        """Never closed."""
        return 0.0

    def on_change(self, callback: Callable[[], None]) -> None:
        """Nothing ever changes."""


def judge(error: Exception) -> Verdict:
    """No handler fails here; if one does, the run ends short of its count and says so."""
    return Burn(repr(error))


def poller(database: Database, handle: Handle, at_once: int = AT_ONCE) -> Poller:
    """Build the poller with the settings that the service ships."""
    return Poller(
        system="sber",
        lanes=[Lane(TASK, order_confirmation_tasks, Handler(handle))],
        gate=OpenGate(at_once),
        judge=judge,
        database=database,
        settings=PollingSettings(),
        concurrency=at_once,
    )


async def drain(url: str) -> dict[str, float]:
    """No-op tasks, each with its event."""
    return await _drain(url, TASKS, wait_s=0, events=TASKS)


async def drain_plain(url: str) -> dict[str, float]:
    """No-op tasks, without events."""
    statements.COMPLETE, changes = EVENT.subn("\n", statements.COMPLETE)
    if changes != 1:
        raise ValueError("the kit's completion has changed: its event was not found")
    return await _drain(url, TASKS, wait_s=0, events=0)


async def waiting(url: str) -> dict[str, float]:
    """Tasks that wait for an external system, each with its event."""
    return await _drain(url, WAITING_TASKS, wait_s=WAIT_S, events=WAITING_TASKS)


async def _drain(url: str, tasks: int, *, wait_s: float, events: int) -> dict[str, float]:
    await preload(url, tasks)
    countdown = Countdown(tasks)

    async def handle(_: ClaimedTask) -> None:
        if wait_s:
            await asyncio.sleep(wait_s)
        countdown.hit()

    async with open_database(url, DatabaseSettings()) as database:
        await database.ping()
        working = poller(database, handle, AT_ONCE if wait_s else IN_HAND)
        begin = time.perf_counter()
        running = asyncio.create_task(working.run())
        await countdown.over.wait()
        working.stop_claiming()
        await running  # until the last outcome is written
        took_s = time.perf_counter() - begin
    if (found := await completed(url)) != (tasks, events):
        raise ValueError(f"{found} tasks and events instead of {(tasks, events)}")
    return {"rate": tasks / took_s}


async def enqueue(url: str) -> dict[str, float]:
    """Aggregate and task, one caller."""
    async with Orders.open(url) as orders:
        return await enqueue_rate(orders.accept)


async def pickup(url: str) -> dict[str, float]:
    """Accept in the process of the poller, which is woken after the commit."""
    pickups = Pickups()

    async def handle(task: ClaimedTask) -> None:
        pickups.picked(task.payload["number"])

    async with Orders.open(url) as orders:
        working = poller(orders.database, handle)
        running = asyncio.create_task(working.run())

        async def accept(number: int) -> None:
            await orders.accept(number)
            working.wake(TASK)

        await asyncio.sleep(0.5)
        result = await pickups.run(accept)
        working.stop_claiming()
        await running
    return result


if __name__ == "__main__":
    spare_startup()  # as the service's process does when its start is over
    run({
        "drain": drain,
        "drain_plain": drain_plain,
        "waiting": waiting,
        "enqueue": enqueue,
        "pickup": pickup,
    })  # fmt: skip
