"""Waits for what the service does in its own time: for a condition, never for a guessed duration."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

LIMIT_S = 15.0
"""Far beyond what anything here takes, so that a slow machine does not fail a test and a hang still does."""

PAUSE_S = 0.01


async def eventually(look: Callable[[], Awaitable[T]], holds: Callable[[T], bool]) -> T:
    """Look again and again until what is seen holds, and return it.

    Raises:
        AssertionError: it did not within `LIMIT_S`; the message shows what was seen last.
    """
    seen = await look()
    try:
        async with asyncio.timeout(LIMIT_S):
            while not holds(seen):
                await asyncio.sleep(PAUSE_S)
                seen = await look()
    except TimeoutError:
        raise AssertionError(f"not within {LIMIT_S} s; seen last: {seen!r}") from None
    return seen
