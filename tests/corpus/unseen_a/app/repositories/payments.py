"""Payments in PostgreSQL."""
from __future__ import annotations

import asyncio
from uuid import UUID

from aiobreaker import CircuitBreaker
from sqlalchemy import select, text, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncSession
from tenacity import AsyncRetrying, retry, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from app.core.config import settings
from app.models import PaymentRow

db_breaker = CircuitBreaker(
    fail_max=settings.acquiring.breaker_failures,
    timeout_duration=settings.acquiring.breaker_open,
    name="payments-db",
)


class PaymentRepository:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session
        self._gate = asyncio.Semaphore(settings.worker.batch_size)

    @db_breaker  #! WHERE-X1
    async def get(self, payment_id: UUID) -> PaymentRow | None:
        return await self._session.get(PaymentRow, payment_id)

    @retry(retry=retry_if_exception_type(OperationalError), stop=stop_after_attempt(settings.acquiring.retry_attempts), wait=wait_random_exponential(max=settings.acquiring.retry_max))  #! WHERE-X1
    async def find(self, order_id: UUID) -> PaymentRow | None:
        return await self._session.scalar(select(PaymentRow).where(PaymentRow.order_id == order_id))

    async def mark_paid(self, payment_id: UUID) -> None:
        await self._session.execute(update(PaymentRow).where(PaymentRow.id == payment_id).values(status="paid"))

    async def receipt(self, payment_id: UUID) -> bytes | None:
        stmt = select(PaymentRow.receipt).where(PaymentRow.id == payment_id)
        return await db_breaker.call_async(self._session.scalar, stmt)  #! WHERE-X1

    async def totals(self) -> list[tuple[str, int]]:
        async with self._gate:  #! WHERE-X1
            rows = await self._session.execute(text("SELECT status, count(*) FROM payment GROUP BY status"))
        return [tuple(row) for row in rows]

    async def purge(self) -> int:
        async for attempt in AsyncRetrying(stop=stop_after_attempt(settings.acquiring.retry_attempts), wait=wait_random_exponential(max=settings.acquiring.retry_max), retry=retry_if_exception_type(OperationalError)):  #! WHERE-X1
            with attempt:
                result = await self._session.execute(text("DELETE FROM payment WHERE status = 'draft'"))
        return result.rowcount

    async def pending_of(self, customer_id: UUID) -> list[PaymentRow]:
        stmt = select(PaymentRow).where(PaymentRow.customer_id == customer_id, PaymentRow.status == "pending")
        return list(await self._session.scalars(stmt))
