from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession
from tenacity import retry, retry_if_exception_type, wait_random_exponential

from parcels.adapters.outbound.db.tables import BookingTask, ParcelRow
from parcels.infrastructure.breakers import database_breaker

DUE = "status = 'NEW' AND next_attempt_at <= now()"
CLAIM = f"SELECT id, payload FROM booking_task WHERE {DUE} ORDER BY id LIMIT :n FOR UPDATE"
CLAIM_SAFE = f"SELECT id, payload FROM booking_task WHERE {DUE} ORDER BY id LIMIT :n FOR UPDATE SKIP LOCKED"


class BookingTaskRepository:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def claim(self, n: int) -> list:
        rows = await self._session.execute(text(CLAIM), {"n": n})  #! ASYNC-1-SQL
        return list(rows)

    async def claim_safe(self, n: int) -> list:
        rows = await self._session.execute(text(CLAIM_SAFE), {"n": n})  # looks like ASYNC-1-SQL
        return list(rows)

    async def due(self, now, n: int) -> list[BookingTask]:
        query = select(BookingTask).where(BookingTask.status == "NEW", BookingTask.next_attempt_at <= now).limit(n)  #! ASYNC-1-SQL
        return list(await self._session.scalars(query))

    async def due_safe(self, now, n: int) -> list[BookingTask]:
        query = select(BookingTask).where(BookingTask.status == "NEW", BookingTask.next_attempt_at <= now)  # looks like ASYNC-1-SQL
        query = query.limit(n).with_for_update(skip_locked=True)
        return list(await self._session.scalars(query))

    async def backlog(self) -> int:
        query = sa.select(sa.func.count()).select_from(BookingTask).where(BookingTask.status == "NEW")  # looks like ASYNC-1-SQL
        return await self._session.scalar(query) or 0

    async def failed(self, task: BookingTask, error: str, next_attempt_at) -> None:
        task.retry_count += 1  # looks like CB-X2
        task.last_error = error
        task.next_attempt_at = next_attempt_at


class ParcelRepository:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    @database_breaker  #! WHERE-X1
    async def by_number(self, number: str) -> ParcelRow | None:
        return await self._session.scalar(sa.select(ParcelRow).where(ParcelRow.number == number))

    @retry(retry=retry_if_exception_type(sa.exc.OperationalError), wait=wait_random_exponential())  #! WHERE-X1
    async def add(self, row: ParcelRow) -> None:
        self._session.add(row)
        await self._session.flush()

    async def find(self, number: str) -> ParcelRow | None:
        try:
            return await self._session.get_one(ParcelRow, number)
        except sa.exc.NoResultFound:
            return None  # looks like FB-X1
