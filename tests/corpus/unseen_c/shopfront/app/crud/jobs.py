from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.config import get_config
from app.models.job import Job

config = get_config()

CLAIM = text(
    "UPDATE job_task SET status = 'RUNNING' WHERE id IN ("
    " SELECT id FROM job_task WHERE status = 'PENDING' AND next_attempt_at <= :now"
    " ORDER BY next_attempt_at LIMIT :batch FOR UPDATE SKIP LOCKED) RETURNING id, payload"
)  # looks like ASYNC-1-SQL

NEXT = text("SELECT id, payload FROM job_task WHERE status = 'PENDING' AND next_attempt_at <= now() ORDER BY id LIMIT 1")  #! ASYNC-1-SQL


async def claim(session: AsyncSession, now: datetime) -> list[sa.Row]:
    rows = await session.execute(CLAIM, {"now": now, "batch": config.job_batch})
    return list(rows)


async def next_job(session: AsyncSession) -> sa.Row | None:
    return (await session.execute(NEXT)).first()


async def pick(session: AsyncSession, now: datetime) -> list[Job]:
    stmt = sa.select(Job).where(Job.status == "PENDING", Job.next_attempt_at <= now).limit(config.job_batch)  #! ASYNC-1-SQL
    stmt = stmt.with_for_update(nowait=True)
    return list((await session.execute(stmt)).scalars())


async def pick_free(session: AsyncSession, now: datetime) -> list[Job]:
    stmt = sa.select(Job).where(Job.status == "PENDING", Job.next_attempt_at <= now).limit(config.job_batch)
    stmt = stmt.with_for_update(skip_locked=True, of=Job)  # looks like ASYNC-1-SQL: added in a second step
    return list((await session.execute(stmt)).scalars())


async def waiting(session: AsyncSession) -> int:
    # looks like ASYNC-1-SQL: a number for the metrics
    return (await session.execute(sa.select(sa.func.count()).select_from(Job).where(Job.status == "PENDING"))).scalar_one()


async def postpone(session: AsyncSession, job: Job, error: str, now: datetime) -> None:
    job.last_error = error
    job.retry_count += 1  #! ASYNC-1-MAX
    job.next_attempt_at = now + timedelta(seconds=config.poll_pause * 2**job.retry_count)
    job.status = "PENDING"
    await session.flush()


async def give_up_or_postpone(session: AsyncSession, job: Job, error: str, now: datetime) -> None:
    job.last_error = error
    job.retry_count = job.retry_count + 1  # looks like ASYNC-1-MAX: compared below
    exhausted = job.retry_count >= config.job_tries
    job.status = "FAILED" if exhausted else "PENDING"
    job.next_attempt_at = None if exhausted else now + timedelta(seconds=config.poll_pause * 2**job.retry_count)
    await session.flush()
