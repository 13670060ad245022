from __future__ import annotations

import asyncio
from datetime import timedelta

CYCLE = timedelta(seconds=5)
LONG_CYCLE = timedelta(minutes=2)


class BookingScheduler:
    def __init__(self, tasks, carrier, stop: asyncio.Event, settings) -> None:
        self._tasks = tasks
        self._carrier = carrier
        self._stop = stop
        self._settings = settings

    async def run(self) -> None:
        while not self._stop.is_set():  # looks like ASYNC-1-MAX
            await self.tick()
            await asyncio.sleep(CYCLE.total_seconds())  # looks like ASYNC-X2

    async def run_slowly(self) -> None:
        while not self._stop.is_set():
            await self.tick()
            await asyncio.sleep(LONG_CYCLE.total_seconds())  #! ASYNC-X2

    async def tick(self) -> None:
        for task in await self._tasks.claim_safe(self._settings.batch):
            await self._carrier.book(task.payload, task.key)

    async def follow(self, number: str) -> str:
        state = None
        while state not in ("delivered", "lost"):  #! ASYNC-1-MAX
            shipment = await self._carrier.shipment(number)
            state = shipment.state
        return state

    async def follow_bounded(self, number: str) -> str | None:
        for _attempt in range(self._settings.max_attempts):  # looks like ASYNC-1-MAX
            shipment = await self._carrier.shipment(number)
            if shipment.state in ("delivered", "lost"):
                return shipment.state
        return None
