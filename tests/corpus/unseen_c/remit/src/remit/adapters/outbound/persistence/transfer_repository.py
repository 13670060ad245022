import asyncio
from datetime import UTC, datetime, timedelta

from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncSession
from tenacity import AsyncRetrying, retry, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from remit.adapters.outbound.persistence.tables import SettlementTask, TransferRow
from remit.settings import settings

policy = dict(
    retry=retry_if_exception_type(OperationalError),
    stop=stop_after_attempt(settings.ledger.attempts),
    wait=wait_random_exponential(max=settings.ledger.backoff_max_s),
)


class TransferRepository:
    def __init__(self, session: AsyncSession, gate: asyncio.Semaphore) -> None:
        self._session = session
        self._gate = gate

    async def get(self, transfer_id: str) -> TransferRow | None:
        return await self._session.get(TransferRow, transfer_id)  # looks like ASYNC-3: the database's own get

    @retry(  #! WHERE-X1
        retry=retry_if_exception_type(OperationalError),
        stop=stop_after_attempt(settings.ledger.attempts),
        wait=wait_random_exponential(max=settings.ledger.backoff_max_s),
    )
    async def add(self, row: TransferRow) -> None:
        self._session.add(row)
        await self._session.flush()

    async def recent(self, sender: str) -> list[TransferRow]:
        async with self._gate:  #! WHERE-X1
            found = await self._session.execute(select(TransferRow).where(TransferRow.sender == sender))
        return list(found.scalars())

    async def close(self, transfer_id: str) -> None:
        async for attempt in AsyncRetrying(**policy):  #! WHERE-X1
            with attempt:
                await self._session.execute(update(TransferRow).where(TransferRow.id == transfer_id).values(state="CLOSED"))

    async def due_without_lock(self, now: datetime) -> list[SettlementTask]:
        query = (
            select(SettlementTask)  #! ASYNC-1-SQL
            .where(SettlementTask.status == "PENDING", SettlementTask.next_attempt_at <= now)
            .order_by(SettlementTask.next_attempt_at)
            .limit(settings.worker.batch)
            .with_for_update()
        )
        return list(await self._session.scalars(query))

    async def claim_due(self, now: datetime) -> list[SettlementTask]:
        query = (
            select(SettlementTask)  # looks like ASYNC-1-SQL: it skips what others hold
            .where(SettlementTask.status == "PENDING", SettlementTask.next_attempt_at <= now)
            .order_by(SettlementTask.next_attempt_at)
            .limit(settings.worker.batch)
            .with_for_update(skip_locked=True)
        )
        rows = list(await self._session.scalars(query))
        for row in rows:
            row.leased_until = now + timedelta(seconds=settings.worker.lease_s)
        return rows

    async def task(self, task_id: int) -> SettlementTask:
        # looks like ASYNC-1-SQL: one known row, for the page that shows it
        return (await self._session.scalars(select(SettlementTask).where(SettlementTask.id == task_id))).one()

    async def fail(self, row: SettlementTask, message: str) -> None:
        row.retry_count += 1  # looks like ASYNC-1-MAX: the limit is on the next line
        if row.retry_count >= settings.worker.max_attempts:
            row.status = "FAILED"
        else:
            row.next_attempt_at = datetime.now(UTC) + timedelta(seconds=2**row.retry_count)
        row.last_error = message
