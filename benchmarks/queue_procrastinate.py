"""Procrastinate: psycopg, one statement to fetch and one to finish a job."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import procrastinate
from queue_load import (
    AT_ONCE,
    IN_HAND,
    PAYLOAD,
    SLOW_CONTENDER_TASKS,
    WAIT_S,
    WAITING_TASKS,
    Countdown,
    Pickups,
    enqueue_rate,
    run,
)
from queue_rig import libpq_url, run_sql

logging.getLogger("procrastinate").setLevel(logging.ERROR)  # it warns of apps in a main module, which others may need

POOL_SIZES = {"min_size": 4, "max_size": 12}


@asynccontextmanager
async def _app(url: str) -> AsyncIterator[procrastinate.App]:
    connector = procrastinate.PsycopgConnector(conninfo=libpq_url(url), **POOL_SIZES)
    app = procrastinate.App(connector=connector)
    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        yield app


async def drain(url: str) -> dict[str, float]:
    """No-op jobs; fewer, because the rate does not depend on their number and forty thousand would take minutes."""
    return await _drain(url, SLOW_CONTENDER_TASKS, wait_s=0)


async def waiting(url: str) -> dict[str, float]:
    """Jobs that wait, as many at once as elsewhere."""
    return await _drain(url, WAITING_TASKS, wait_s=WAIT_S)


async def _drain(url: str, tasks: int, *, wait_s: float) -> dict[str, float]:
    countdown = Countdown(tasks)

    async def noop(number: int, payload: object) -> None:
        if wait_s:
            await asyncio.sleep(wait_s)
        countdown.hit()

    async with _app(url) as app:
        task = app.task(name="noop")(noop)
        await task.batch_defer_async(*[{"number": number, "payload": PAYLOAD} for number in range(tasks)])
        await run_sql(url, "VACUUM ANALYZE")
        begin = time.perf_counter()
        await app.run_worker_async(
            wait=False, concurrency=AT_ONCE if wait_s else IN_HAND, install_signal_handlers=False
        )
        took_s = time.perf_counter() - begin
    if countdown.left:
        raise ValueError(f"{countdown.left} jobs were not run")
    return {"rate": tasks / took_s}


async def enqueue(url: str) -> dict[str, float]:
    """One caller."""

    async def noop(number: int, payload: object) -> None:
        pass

    async with _app(url) as app:
        task = app.task(name="noop")(noop)
        return await enqueue_rate(lambda number: task.defer_async(number=number, payload=PAYLOAD))


async def pickup(url: str) -> dict[str, float]:
    """Woken by NOTIFY."""
    pickups = Pickups()

    async def noop(number: int, payload: object) -> None:
        pickups.picked(number)

    async with _app(url) as app:
        task = app.task(name="noop")(noop)
        running = asyncio.create_task(app.run_worker_async(concurrency=AT_ONCE, install_signal_handlers=False))
        await asyncio.sleep(1)
        result = await pickups.run(lambda number: task.defer_async(number=number, payload=PAYLOAD))
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
    return result


if __name__ == "__main__":
    run({"drain": drain, "waiting": waiting, "enqueue": enqueue, "pickup": pickup})
