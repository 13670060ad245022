from __future__ import annotations

import asyncio
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import httpx
from aiobreaker import CircuitBreaker

from festival.settings import BADGES

printer_breaker = CircuitBreaker(BADGES.failures, name="badges")
gate_breaker = CircuitBreaker(BADGES.failures, name=None)  #! CB-X3


class BadgeGateway:  #! CB-X2
    """Prints badges; stops asking the printer service when it keeps failing."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.strikes = 0
        self.tripped_at: float | None = None

    async def print(self, badge: dict, key: str) -> str:
        if self.tripped_at is not None and time.monotonic() - self.tripped_at < BADGES.cool_off:
            raise ConnectionError("badges are off")
        try:
            async with asyncio.timeout(BADGES.total):
                answer = await self.client.post("/badges", json=badge, headers={"Idempotency-Key": key})
        except (httpx.TransportError, TimeoutError):
            self.strikes += 1
            if self.strikes >= BADGES.failures:
                self.tripped_at = time.monotonic()
            raise
        self.strikes, self.tripped_at = 0, None
        return answer.json()["id"]


class BadgeImages:
    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.threads = ThreadPoolExecutor(thread_name_prefix="badges")
        self.processes = ProcessPoolExecutor()

    async def _portrait(self, visitor: int) -> bytes:
        async with asyncio.timeout(BADGES.total):
            return (await self.client.get(f"/portraits/{visitor}")).content

    async def portrait(self, visitor: int) -> bytes:
        work = self._portrait(visitor)
        return await asyncio.get_running_loop().run_in_executor(self.threads, asyncio.run, work)  #! BH-X1

    async def shrink(self, picture: bytes, scale) -> bytes:
        return await asyncio.get_running_loop().run_in_executor(self.processes, scale, picture)  # looks like BH-X1

    async def after_flash(self, visitor: int) -> bytes:
        settle_ms = 3000
        await asyncio.sleep(settle_ms / 1000)  #! ASYNC-2
        return await self._portrait(visitor)

    async def after_shutter(self, visitor: int) -> bytes:
        settle_ms = 300
        await asyncio.sleep(settle_ms / 1000)  # looks like ASYNC-2
        return await self._portrait(visitor)
