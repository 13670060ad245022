"""Fraud checks: quick ones inline, the heavy model in a process of its own."""
import asyncio
import functools
import math
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import anyio
import anyio.to_thread
import httpx

from ledger.core.settings import S

model_pool = ProcessPoolExecutor(max_workers=None)
threads = ThreadPoolExecutor(thread_name_prefix="fraud")


async def _check(http: httpx.AsyncClient, payment: str) -> bool:
    async with asyncio.timeout(S.fraud.total):
        reply = await http.get(f"/payments/{payment}")
    return reply.json()["clean"]


def _check_blocking(http: httpx.AsyncClient, payment: str) -> bool:
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(_check(http, payment))
    finally:
        loop.close()


async def check_all(http: httpx.AsyncClient, payments: list[str]) -> list[bool]:
    loop = asyncio.get_running_loop()
    jobs = [loop.run_in_executor(threads, _check_blocking, http, p) for p in payments]  #! BH-X1
    return await asyncio.gather(*jobs)


def check_many(http: httpx.AsyncClient, payments: list[str]) -> list[bool]:
    return list(threads.map(functools.partial(_check_blocking, http), payments))  #! BH-X1


async def check_aside(http: httpx.AsyncClient, payment: str) -> bool:
    return await anyio.to_thread.run_sync(anyio.run, _check, http, payment)  #! BH-X1


async def check_shielded(http: httpx.AsyncClient, payment: str) -> bool:
    return await asyncio.to_thread(lambda: asyncio.run(_check(http, payment)))  #! BH-X1


def _score(features: list[float]) -> float:
    return sum(math.tanh(value) for value in features)


async def score(features: list[float]) -> float:
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(model_pool, _score, features)


async def scores(rows: list[list[float]]) -> list[float]:
    return await asyncio.gather(*(asyncio.to_thread(_score, row) for row in rows))


async def check_limited(http: httpx.AsyncClient, payments: list[str], gate: asyncio.Semaphore) -> list[bool]:
    async def one(payment: str) -> bool:
        async with gate:
            return await _check(http, payment)

    return await asyncio.gather(*map(one, payments))


def main() -> None:
    async def run() -> None:
        async with httpx.AsyncClient(base_url=S.fraud_url, timeout=S.fraud.timeout, limits=S.fraud.limits) as http:
            print(await _check(http, "demo"))

    asyncio.run(run())
