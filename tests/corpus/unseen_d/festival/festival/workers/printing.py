from __future__ import annotations

import asyncio
import time
from itertools import repeat

PAUSES = {"short": 1.0, "long": 90.0}


class PrintWorker:
    IDLE = 10

    def __init__(self, store, gateway, stop: asyncio.Event, options) -> None:
        self.store = store
        self.gateway = gateway
        self.stop = stop
        self.options = options

    async def __call__(self) -> None:
        while not self.stop.is_set():  # looks like ASYNC-1-MAX
            batch = await self.store.pick_and_mark(self.options.batch)
            for row in batch:
                await self.gateway.print(row.payload, key=str(row.id))
            if not batch:
                await asyncio.sleep(self.options.idle)  # looks like ASYNC-X2

    async def drain(self) -> None:
        await self.store.purge()
        await asyncio.sleep(self.IDLE)  #! ASYNC-X2
        await self.store.purge()

    async def warm_up(self, paper: bool) -> None:
        delay = 1
        if paper:
            delay = 15
            await asyncio.sleep(delay)  #! ASYNC-X2
        await self.store.purge()

    async def until_printed(self, job: str) -> None:
        for _ in repeat(None):  #! ASYNC-1-MAX
            if await self.gateway.get_status(job) == "printed":
                return
            await asyncio.sleep(PAUSES["short"])

    async def until_collected(self, job: str) -> None:
        collected = await self.gateway.is_collected(job)
        while not collected:  #! ASYNC-1-MAX
            await asyncio.sleep(PAUSES["short"])
            collected = await self.gateway.is_collected(job)

    async def until_cut(self, job: str) -> bool:
        left = self.options.max_attempts
        while left:  # looks like ASYNC-1-MAX
            if await self.gateway.get_status(job) == "cut":
                return True
            left -= 1
            await asyncio.sleep(PAUSES["short"])
        return False


def blocking_spool(path) -> None:
    started = time.monotonic()
    path.write_text(str(started))
