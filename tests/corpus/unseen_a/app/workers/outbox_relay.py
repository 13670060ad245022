"""Relay of the outbox. Rows are claimed with a lease, calls happen outside of the transaction."""
from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Sequence

from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from app.core.config import settings
from app.models import OutboxMessage
from app.ports import Publisher

CLAIM = text(
    "SELECT id, topic, payload FROM outbox WHERE status = 'NEW' ORDER BY id LIMIT :batch FOR UPDATE SKIP LOCKED"
)


class OutboxRelay:
    def __init__(self, sessions: async_sessionmaker[AsyncSession], publisher: Publisher) -> None:
        self._sessions = sessions
        self._publisher = publisher
        self._stop = asyncio.Event()

    async def _claim(self, session: AsyncSession) -> Sequence[OutboxMessage]:
        stmt = select(OutboxMessage).where(OutboxMessage.status == "NEW").order_by(OutboxMessage.id)
        stmt = stmt.limit(settings.worker.batch_size).with_for_update(skip_locked=True)
        return (await session.scalars(stmt)).all()

    async def run(self) -> None:
        while not self._stop.is_set():
            async with self._sessions.begin() as session:
                messages = await self._claim(session)
            for message in messages:
                await self._publisher.publish(message.topic, message.payload)
            await asyncio.sleep(settings.worker.poll_interval + random.random())

    async def run_sql(self) -> None:
        while not self._stop.is_set():
            async with self._sessions.begin() as session:
                rows = (await session.execute(CLAIM, {"batch": settings.worker.batch_size})).all()
            for row in rows:
                await self._publisher.publish(row.topic, row.payload)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(settings.worker.poll_interval):
                    await self._stop.wait()

    async def failed(self, session: AsyncSession) -> Sequence[OutboxMessage]:
        return (await session.scalars(select(OutboxMessage).where(OutboxMessage.status == "FAILED"))).all()

    async def mark(self, session: AsyncSession, message_id: int) -> None:
        await session.execute(update(OutboxMessage).where(OutboxMessage.id == message_id).values(status="SENT"))

    async def by_id(self, session: AsyncSession, message_id: int) -> OutboxMessage | None:
        return await session.get(OutboxMessage, message_id, with_for_update=True)

    async def heartbeat(self) -> None:
        await asyncio.sleep(2.5 * 2)
        await asyncio.sleep(0.001 * 900)
