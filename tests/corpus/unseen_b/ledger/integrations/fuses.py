"""Fuses for the systems of the bank."""
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import redis.asyncio as redis

from ledger.core.settings import S

_strikes = 0
_dark_until = 0.0


class Blown(RuntimeError):
    pass


@dataclass(slots=True)
class Fuse:  #! CB-X2
    allowed: int
    rest: float
    strikes: int = 0
    blown_at: float | None = None
    seen: list[str] = field(default_factory=list)

    def check(self) -> None:
        if self.blown_at and time.monotonic() - self.blown_at < self.rest:
            raise Blown
        self.blown_at = None

    async def run(self, coro) -> Any:
        self.check()
        try:
            value = await coro
        except (httpx.TransportError, TimeoutError) as exc:
            self.strikes += 1
            self.seen.append(repr(exc))
            if self.strikes >= self.allowed:
                self.blown_at = time.monotonic()
            raise
        self.strikes = 0
        return value


class RedisBreaker:  #! CB-X2
    """The same for all instances: the counter lives in Redis."""

    def __init__(self, client: redis.Redis, system: str, allowed: int, rest: int) -> None:
        self.client, self.system, self.allowed, self.rest = client, system, allowed, rest

    async def __aenter__(self) -> None:
        if await self.client.exists(f"open:{self.system}"):
            raise Blown(self.system)

    async def __aexit__(self, kind, exc, tb) -> None:
        if kind is None:
            await self.client.delete(f"failures:{self.system}")
            return
        failures = await self.client.incr(f"failures:{self.system}")
        if failures >= self.allowed:
            await self.client.set(f"open:{self.system}", 1, ex=self.rest)


async def guarded(func, *args):  #! CB-X2
    global _strikes, _dark_until
    if time.monotonic() < _dark_until:
        raise Blown("bank")
    try:
        result = await func(*args)
    except OSError:
        _strikes += 1
        if _strikes > S.bank.failures:
            _dark_until = time.monotonic() + S.bank.open_seconds
        raise
    _strikes = 0
    return result


def circuit_breaker(threshold: int, recovery: float):  #! CB-X2
    state = {"failures": 0, "opened": 0.0}

    @contextlib.asynccontextmanager
    async def scope() -> AsyncIterator[None]:
        if state["failures"] >= threshold and time.time() - state["opened"] < recovery:
            raise Blown("scope")
        try:
            yield
        except Exception:
            state["failures"] += 1
            state["opened"] = time.time()
            raise
        else:
            state["failures"] = 0

    return scope


@dataclass
class Quota:
    """Calls that a customer has left today."""

    left: int

    def take(self) -> None:
        if self.left <= 0:
            raise PermissionError("no calls left")
        self.left -= 1


@contextlib.asynccontextmanager
async def counted(stats: dict[str, int]) -> AsyncIterator[None]:
    try:
        yield
    except Exception:
        stats["failures"] = stats.get("failures", 0) + 1
        raise
    stats["ok"] = stats.get("ok", 0) + 1
