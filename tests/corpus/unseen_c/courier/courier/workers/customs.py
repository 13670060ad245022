import asyncio
import logging
from datetime import datetime, timedelta

from sqlalchemy import func, text, update
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from courier.config import CustomsConfig, WorkerConfig
from courier.repositories.tables import CustomsTask

log = logging.getLogger(__name__)


class CustomsWorker:
    def __init__(self, sessions: async_sessionmaker[AsyncSession], customs, config: WorkerConfig, limits: CustomsConfig) -> None:
        self._sessions = sessions
        self._customs = customs
        self._config = config
        self._limits = limits

    async def tick(self, now: datetime) -> int:
        async with self._sessions.begin() as session:
            found = await session.execute(
                text(  #! ASYNC-1-SQL
                    "SELECT id, parcel_id FROM customs_task"
                    " WHERE status = 'PENDING' AND next_attempt_at <= :now"
                    " ORDER BY next_attempt_at LIMIT :batch FOR UPDATE"
                ),
                {"now": now, "batch": self._config.batch},
            )
            rows = found.all()
        for row in rows:
            await self._declare(row.id, row.parcel_id, now)
        return len(rows)

    async def _declare(self, task_id: int, parcel_id: str, now: datetime) -> None:
        try:
            async with asyncio.timeout(self._limits.total_timeout):
                await self._customs.declare(parcel_id, key=f"customs-{task_id}")
        except (TimeoutError, ConnectionError) as error:
            await self._again(task_id, str(error), now)
            return
        async with self._sessions.begin() as session:
            await session.execute(update(CustomsTask).where(CustomsTask.id == task_id).values(status="DONE"))

    async def _again(self, task_id: int, message: str, now: datetime) -> None:
        later = now + func.power(2, CustomsTask.retry_count) * timedelta(seconds=self._config.idle)
        changed = dict(status="PENDING", last_error=message, next_attempt_at=later)
        async with self._sessions.begin() as session:
            await session.execute(update(CustomsTask).where(CustomsTask.id == task_id).values(retry_count=CustomsTask.retry_count + 1, **changed))  #! ASYNC-1-MAX

    async def cleared_soon(self, parcel_id: str) -> str:
        state, left = "OPEN", self._config.polls
        while state not in ("CLEARED", "SEIZED") and left:  # looks like ASYNC-1-MAX: `left` runs out
            left -= 1
            async with asyncio.timeout(self._limits.total_timeout):
                state = await self._customs.state(parcel_id)
            await asyncio.sleep(self._config.idle)
        return state

    async def run(self, stopping: asyncio.Event) -> None:
        while not stopping.is_set():
            try:
                await asyncio.wait_for(stopping.wait(), timeout=self._config.idle)  # looks like ASYNC-3: an event
            except TimeoutError:
                await self.tick(datetime.now().astimezone())
