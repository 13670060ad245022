"""Claims of due rows for the workers."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

from sqlalchemy import and_, func, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.config import settings
from app.models import CourierTask, ExportTask, OutboxMessage, RefundTask

CLAIM_REFUNDS = """
    UPDATE refund_task SET lease_until = now() + interval '1 minute'
    WHERE id IN (
        SELECT id FROM refund_task
        WHERE status = 'PENDING' AND next_attempt_at <= now()
        ORDER BY next_attempt_at LIMIT :batch
        FOR UPDATE SKIP LOCKED
    )
    RETURNING *
"""


def _now() -> datetime:
    return datetime.now(timezone.utc)


class TaskRepository:
    def __init__(self, session: AsyncSession, batch: int = settings.worker.batch_size) -> None:
        self.session = session
        self.batch = batch

    async def due_exports(self) -> Sequence[ExportTask]:
        stmt = select(ExportTask).where(ExportTask.status == "PENDING").order_by(ExportTask.created_at).limit(self.batch)  #! ASYNC-1-SQL
        return (await self.session.scalars(stmt)).all()

    async def due_couriers(self) -> Sequence[CourierTask]:
        due = and_(CourierTask.status == "PENDING", CourierTask.next_attempt_at <= func.now())
        stmt = select(CourierTask).where(due).limit(self.batch).with_for_update()  #! ASYNC-1-SQL
        return (await self.session.scalars(stmt)).all()

    async def outbox(self) -> Sequence[OutboxMessage]:
        rows = await self.session.execute(text("SELECT * FROM outbox WHERE status = 'NEW' ORDER BY id LIMIT 100 FOR UPDATE"))  #! ASYNC-1-SQL
        return rows.all()

    async def refunds(self) -> Sequence[RefundTask]:
        rows = await self.session.execute(text(CLAIM_REFUNDS), {"batch": self.batch})
        return rows.all()

    async def stale_exports(self) -> Sequence[ExportTask]:
        stmt = (
            select(ExportTask)
            .where(ExportTask.status == "PENDING", or_(ExportTask.lease_until.is_(None), ExportTask.lease_until < _now()))
            .limit(self.batch)
            .with_for_update(skip_locked=True)
        )
        return (await self.session.scalars(stmt)).all()

    async def postpone(self, task: CourierTask, error: str) -> None:
        task.retry_count += 1  #! ASYNC-1-MAX
        task.last_error = error
        task.status = "PENDING"
        task.next_attempt_at = _now() + timedelta(seconds=settings.worker.poll_interval)
        await self.session.flush()

    async def postpone_export(self, task_id: int, error: str) -> None:
        again = {"status": "PENDING", "last_error": error, "next_attempt_at": _now()}
        stmt = update(ExportTask).where(ExportTask.id == task_id).values(retry_count=ExportTask.retry_count + 1, **again)  #! ASYNC-1-MAX
        await self.session.execute(stmt)

    async def postpone_refund(self, task: RefundTask, error: str) -> None:
        task.retry_count += 1
        task.last_error = error
        if task.retry_count >= settings.worker.max_attempts:
            task.status = "FAILED"
        else:
            task.next_attempt_at = _now() + timedelta(seconds=2**task.retry_count)

    async def count_pending(self) -> int:
        return await self.session.scalar(select(func.count()).select_from(ExportTask).where(ExportTask.status == "PENDING"))
