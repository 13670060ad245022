"""Helpers of the test suite."""
import asyncio
from collections.abc import Awaitable, Callable


async def wait_until(check: Callable[[], Awaitable[bool]], every: float = 0.05) -> None:
    while not await check():
        await asyncio.sleep(every)


async def wait_for_database() -> None:
    for delay in (1, 5, 25):
        await asyncio.sleep(delay)


async def outlive_the_breaker() -> None:
    await asyncio.sleep(31)
