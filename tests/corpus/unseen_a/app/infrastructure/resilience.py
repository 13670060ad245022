"""Tools that some of our adapters still use."""
import asyncio
import functools
import time
from collections import deque
from collections.abc import Awaitable, Callable
from enum import Enum
from typing import TypeVar

from app.core.config import SystemSettings

T = TypeVar("T")


class State(Enum):
    CLOSED = 0
    OPEN = 1
    HALF_OPEN = 2


class CallRefused(Exception):
    pass


class SimpleCircuitBreaker:  #! CB-X2
    def __init__(self, system: SystemSettings) -> None:
        self._threshold = system.breaker_failures
        self._cooldown = system.breaker_open_seconds
        self._failures = 0
        self._opened_at = 0.0
        self._state = State.CLOSED

    async def call(self, func: Callable[..., Awaitable[T]], *args, **kwargs) -> T:
        if self._state is State.OPEN:
            if time.monotonic() - self._opened_at < self._cooldown:
                raise CallRefused
            self._state = State.HALF_OPEN
        try:
            result = await func(*args, **kwargs)
        except Exception:
            self._failures += 1
            if self._failures >= self._threshold:
                self._state = State.OPEN
                self._opened_at = time.monotonic()
            raise
        self._failures = 0
        self._state = State.CLOSED
        return result


class ErrorGate:  #! CB-X2
    """Keeps callers away from a system that failed too often."""

    def __init__(self, limit: int, pause: float) -> None:
        self.limit, self.pause = limit, pause
        self.error_count = 0
        self.blocked_until = 0.0

    async def __aenter__(self) -> "ErrorGate":
        if time.time() < self.blocked_until:
            raise CallRefused("blocked")
        return self

    async def __aexit__(self, exc_type, exc, tb) -> None:
        if exc_type is None:
            self.error_count = 0
            return
        self.error_count += 1
        if self.error_count >= self.limit:
            self.blocked_until = time.time() + self.pause


def trip_after(limit: int, cooldown: float):  #! CB-X2
    def decorate(func):
        failures, opened_at = 0, None

        @functools.wraps(func)
        async def wrapper(*args, **kwargs):
            nonlocal failures, opened_at
            if opened_at is not None and time.monotonic() - opened_at < cooldown:
                raise CallRefused(func.__name__)
            try:
                result = await func(*args, **kwargs)
            except OSError:
                failures += 1
                if failures >= limit:
                    opened_at = time.monotonic()
                raise
            failures, opened_at = 0, None
            return result

        return wrapper

    return decorate


class SlidingRate:
    """Requests of the last window, for the dashboard."""

    def __init__(self, window: float) -> None:
        self._window = window
        self._stamps: deque[float] = deque()
        self.failures = 0

    def hit(self, ok: bool = True) -> None:
        now = time.monotonic()
        self._stamps.append(now)
        self.failures += not ok
        while self._stamps and now - self._stamps[0] > self._window:
            self._stamps.popleft()

    def rate(self) -> float:
        return len(self._stamps) / self._window


class Debounce:
    def __init__(self, quiet: float) -> None:
        self._quiet = quiet
        self._task: asyncio.Task | None = None

    def __call__(self, action: Callable[[], Awaitable[None]]) -> None:
        if self._task is not None:
            self._task.cancel()
        self._task = asyncio.create_task(self._later(action))

    async def _later(self, action: Callable[[], Awaitable[None]]) -> None:
        await asyncio.sleep(self._quiet)
        await action()
