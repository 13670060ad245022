"""PgQueuer: asyncpg, a job deleted when it is done."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from pgqueuer import PgQueuer
from pgqueuer.db import AsyncpgDriver, AsyncpgPoolDriver
from pgqueuer.models import Job
from pgqueuer.queries import Queries
from pgqueuer.types import QueueExecutionMode
from queue_load import AT_ONCE, IN_HAND, PAYLOAD, TASKS, WAIT_S, WAITING_TASKS, Countdown, Pickups, enqueue_rate, run
from queue_rig import libpq_url

POOL = 8
ENTRY = "noop"
BATCH_WAITING = 25
"""With 50 at once a larger batch leaves places empty while the next one is fetched."""


@asynccontextmanager
async def _pool(url: str) -> AsyncIterator[asyncpg.Pool]:
    dsn = libpq_url(url)
    connection = await asyncpg.connect(dsn)
    try:
        await Queries(AsyncpgDriver(connection)).install()
    finally:
        await connection.close()
    async with asyncpg.create_pool(dsn, min_size=POOL, max_size=POOL) as pool:
        yield pool


def _body(number: int) -> bytes:
    return json.dumps({"number": number, "payload": PAYLOAD}).encode()


async def drain(url: str) -> dict[str, float]:
    """No-op jobs."""
    return await _drain(url, TASKS, wait_s=0, batch=IN_HAND, limits={})


async def waiting(url: str) -> dict[str, float]:
    """Jobs that wait, as many at once as elsewhere."""
    limits = {"max_concurrent_tasks": AT_ONCE}
    return await _drain(url, WAITING_TASKS, wait_s=WAIT_S, batch=BATCH_WAITING, limits=limits)


async def _drain(url: str, tasks: int, *, wait_s: float, batch: int, limits: dict[str, int]) -> dict[str, float]:
    countdown = Countdown(tasks)
    async with _pool(url) as pool:
        numbers = range(tasks)
        queries = Queries(AsyncpgPoolDriver(pool))
        await queries.enqueue([ENTRY] * tasks, [_body(number) for number in numbers], [0] * tasks)
        await pool.execute("VACUUM ANALYZE")
        queue = PgQueuer(AsyncpgPoolDriver(pool))

        async def noop(_: object) -> None:
            if wait_s:
                await asyncio.sleep(wait_s)
            countdown.hit()

        queue.entrypoint(ENTRY)(noop)
        begin = time.perf_counter()
        running = asyncio.create_task(queue.run(batch_size=batch, mode=QueueExecutionMode.drain, **limits))
        await countdown.over.wait()
        # Its drain ends with a second of shutdown. Its results count as written once no job is left.
        while await pool.fetchval("SELECT EXISTS (SELECT FROM pgqueuer)"):
            await asyncio.sleep(0.005)
        took_s = time.perf_counter() - begin
        await running
    return {"rate": tasks / took_s}


async def enqueue(url: str) -> dict[str, float]:
    """One caller."""
    async with _pool(url) as pool:
        queries = Queries(AsyncpgPoolDriver(pool))
        return await enqueue_rate(lambda number: queries.enqueue(ENTRY, _body(number)))


async def pickup(url: str) -> dict[str, float]:
    """Woken by NOTIFY."""
    pickups = Pickups()
    async with _pool(url) as pool:
        queries = Queries(AsyncpgPoolDriver(pool))
        queue = PgQueuer(AsyncpgPoolDriver(pool))

        async def noop(job: Job) -> None:
            pickups.picked(json.loads(job.payload)["number"])

        queue.entrypoint(ENTRY)(noop)
        running = asyncio.create_task(queue.run(batch_size=AT_ONCE))
        await asyncio.sleep(1)
        result = await pickups.run(lambda number: queries.enqueue(ENTRY, _body(number)))
        queue.shutdown.set()
        await asyncio.wait([running], timeout=10)
    return result


if __name__ == "__main__":
    run({"drain": drain, "waiting": waiting, "enqueue": enqueue, "pickup": pickup})
