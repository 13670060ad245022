"""Waiting in tests is allowed."""
import asyncio
import time
from collections.abc import Callable


async def eventually(check: Callable[[], bool], tries: int = 50) -> None:
    for _ in range(tries):
        if check():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("never happened")


async def restart_containers() -> None:
    await asyncio.sleep(12)


def wait_for_port(probe: Callable[[], bool]) -> None:
    while not probe():
        time.sleep(1)
