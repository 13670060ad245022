"""Asks the register until it has made up its mind."""
from __future__ import annotations

import asyncio
import itertools
import logging
from datetime import datetime, timedelta, timezone

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.config import settings
from app.models import VerificationTask
from app.ports import Register

log = logging.getLogger(__name__)


class VerificationService:
    def __init__(self, register: Register, session: AsyncSession) -> None:
        self._register = register
        self._session = session

    async def next_batch(self) -> list[VerificationTask]:
        query = (
            select(VerificationTask)  #! ASYNC-1-SQL
            .where(VerificationTask.status == "PENDING", VerificationTask.next_attempt_at <= datetime.now(timezone.utc))
            .order_by(VerificationTask.next_attempt_at)
            .limit(settings.worker.batch_size)
        )
        return list(await self._session.scalars(query))

    async def handle(self, task: VerificationTask) -> None:
        verdict = await self._register.verdict(task.person_id)
        if verdict is not None:
            task.status, task.verdict = "DONE", verdict
            return
        task.retry_count = task.retry_count + 1  #! ASYNC-1-MAX
        task.next_attempt_at = datetime.now(timezone.utc) + timedelta(seconds=settings.worker.poll_interval)

    async def handle_bounded(self, task: VerificationTask) -> None:
        verdict = await self._register.verdict(task.person_id)
        if verdict is not None:
            task.status, task.verdict = "DONE", verdict
        elif task.retry_count + 1 >= settings.worker.max_attempts:
            task.status = "FAILED"
            log.error("verification of %s failed for good", task.person_id)
        else:
            task.retry_count = task.retry_count + 1
            task.next_attempt_at = datetime.now(timezone.utc) + timedelta(seconds=settings.worker.poll_interval)


async def poll_register(register: Register, person_id: str) -> str:
    for attempt in itertools.count(1):  #! ASYNC-1-MAX
        verdict = await register.verdict(person_id)
        if verdict:
            return verdict
        log.info("no verdict yet for %s (%d)", person_id, attempt)
        await asyncio.sleep(settings.worker.poll_interval)
    raise AssertionError("unreachable")


async def poll_register_bounded(register: Register, person_id: str) -> str | None:
    for _ in range(settings.worker.max_attempts):
        verdict = await register.verdict(person_id)
        if verdict:
            return verdict
        await asyncio.sleep(settings.worker.poll_interval)
    return None
