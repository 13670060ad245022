"""Background jobs around the courier."""
import asyncio
import logging
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import async_sessionmaker

from app.core import delays
from app.core.config import settings
from app.core.delays import NIGHTLY_GAP, SETTLE_STEPS
from app.models import CourierTask
from app.ports import Couriers

log = logging.getLogger(__name__)


class CourierWorker:
    def __init__(self, sessions: async_sessionmaker, couriers: Couriers) -> None:
        self._sessions = sessions
        self._couriers = couriers
        self._stopping = asyncio.Event()

    async def warm_up(self) -> None:
        await asyncio.sleep(delays.WARMUP_PAUSE)  #! ASYNC-X2
        await self._couriers.zones()

    async def nightly(self) -> None:
        while not self._stopping.is_set():
            await self._couriers.reconcile()
            await asyncio.sleep(NIGHTLY_GAP.total_seconds())  #! ASYNC-X2

    async def settle(self, pickup_id: str) -> str:
        for step in SETTLE_STEPS:
            state = await self._couriers.pickup_state(pickup_id)
            if state != "moving":
                return state
            await asyncio.sleep(step)  #! ASYNC-X2
        return "moving"

    async def after_strike(self) -> None:
        await asyncio.sleep(60 * 10)  #! ASYNC-X2
        await self._couriers.zones()

    async def follow(self, parcel_id: str) -> None:
        while True:  #! ASYNC-1-MAX
            state = await self._couriers.state(parcel_id)
            if state in {"delivered", "returned"}:
                break
            await asyncio.sleep(settings.worker.poll_interval)
        log.info("parcel %s: %s", parcel_id, state)

    async def run(self) -> None:
        while not self._stopping.is_set():
            await self.step()
            try:
                await asyncio.wait_for(self._stopping.wait(), timeout=settings.worker.poll_interval)
            except TimeoutError:
                continue

    async def step(self) -> None:
        async with self._sessions.begin() as session:
            tasks = (await session.scalars(select(CourierTask).where(CourierTask.status == "PENDING").limit(settings.worker.batch_size))).all()  #! ASYNC-1-SQL
        for task in tasks:
            await self._couriers.deliver(task.parcel_id)

    async def breathe(self) -> None:
        await asyncio.sleep(timedelta(seconds=5).total_seconds())

    def stop(self) -> None:
        self._stopping.set()
