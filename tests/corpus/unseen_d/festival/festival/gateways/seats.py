from __future__ import annotations

import asyncio
from dataclasses import dataclass

import aiohttp
from aiohttp_retry import RetryClient  #! RE-X4
from tenacity import AsyncRetrying, retry_if_exception_type, retry_if_result, stop_after_attempt, wait_random_exponential

from festival.settings import SEATS


@dataclass(frozen=True)
class Seat:
    row: str
    number: int
    free: bool


def _retrying(condition) -> AsyncRetrying:
    return AsyncRetrying(
        retry=condition,
        stop=stop_after_attempt(SEATS.attempts),
        wait=wait_random_exponential(),
    )


async def seat(session: aiohttp.ClientSession, row: str, number: int) -> Seat:
    async with asyncio.timeout(SEATS.total):
        async with session.get(f"/rows/{row}/{number}") as answer:  # looks like ASYNC-3
            data = await answer.json()
    return Seat(row, number, data["free"])


async def row(session: aiohttp.ClientSession, name: str) -> list[Seat]:
    async with session.get(f"/rows/{name}") as answer:  #! ASYNC-3
        data = await answer.json()
    return [Seat(name, item["n"], item["free"]) for item in data]


async def block(client: "RetryClient", name: str) -> list[str]:
    async with asyncio.timeout(SEATS.total):
        async with client.get(f"/blocks/{name}") as answer:
            return await answer.json()


async def plan(session: aiohttp.ClientSession, hall: str) -> dict:
    async def fetch() -> aiohttp.ClientResponse:
        async with asyncio.timeout(SEATS.total):
            return await session.get(f"/halls/{hall}")

    policy = AsyncRetrying(  #! RE-X2
        retry=retry_if_result(lambda answer: answer.status >= 400),
        stop=stop_after_attempt(SEATS.attempts),
        wait=wait_random_exponential(),
    )
    return await (await policy(fetch)).json()


async def halls(session: aiohttp.ClientSession) -> list:
    async def fetch() -> list:
        async with asyncio.timeout(SEATS.total):
            async with session.get("/halls") as answer:
                return await answer.json()

    return await _retrying(retry_if_exception_type(aiohttp.ClientConnectionError))(fetch)  # looks like RE-X2


async def hold(session: aiohttp.ClientSession, seats: list[Seat]) -> str:
    payload = [(s.row, s.number) for s in seats]
    async for attempt in _retrying(retry_if_exception_type(aiohttp.ClientConnectionError)):
        with attempt:
            async with asyncio.timeout(SEATS.total):
                async with session.post("/holds", json=payload) as answer:  #! RE-X1
                    return (await answer.json())["hold"]
    raise ConnectionError("seats")


async def hold_once(session: aiohttp.ClientSession, seats: list[Seat]) -> str:
    payload = [(s.row, s.number) for s in seats]
    async with asyncio.timeout(SEATS.total):
        async with session.post("/holds", json=payload) as answer:  # looks like RE-X1
            return (await answer.json())["hold"]
