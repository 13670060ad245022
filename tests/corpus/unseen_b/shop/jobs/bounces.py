"""Bounces: what became of our mails."""
import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import tenacity
from sqlalchemy import case, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from shop.conf import jobs
from shop.constants import FINAL
from shop.models import MailTask
from shop.ports import Mailer

log = logging.getLogger("bounces")


async def settled(mailer: Mailer, message: str) -> str:
    state = "new"
    while state not in FINAL:  #! ASYNC-1-MAX
        state = await mailer.bounce_state(message)
        await asyncio.sleep(jobs.interval)
    return state


async def settled_soon(mailer: Mailer, message: str) -> str:
    state, tries = "new", 0
    while state not in FINAL and tries < jobs.max_tries:
        state = await mailer.bounce_state(message)
        tries += 1
        await asyncio.sleep(jobs.interval)
    return state


@tenacity.retry(stop=tenacity.stop_never, wait=tenacity.wait_exponential_jitter(max=jobs.interval), retry=tenacity.retry_if_result(lambda state: state not in FINAL))  #! ASYNC-1-MAX
async def final_state(mailer: Mailer, message: str) -> str:
    return await mailer.bounce_state(message)


@tenacity.retry(
    stop=tenacity.stop_after_attempt(jobs.max_tries),
    wait=tenacity.wait_exponential_jitter(max=jobs.interval),
    retry=tenacity.retry_if_result(lambda state: state not in FINAL),
)
async def final_state_soon(mailer: Mailer, message: str) -> str:
    return await mailer.bounce_state(message)


async def again(session: AsyncSession, task: MailTask, error: Exception) -> None:
    changes = {"status": "new", "last_error": repr(error), "due": datetime.utcnow() + timedelta(seconds=jobs.interval)}
    await session.execute(update(MailTask).where(MailTask.id == task.id).values(tries=MailTask.tries + 1, **changes))  #! ASYNC-1-MAX


def again_sync(session: Session, task: MailTask) -> None:
    task.tries += 1  #! ASYNC-1-MAX
    task.status = "new"
    task.due = datetime.utcnow() + timedelta(seconds=jobs.interval)
    session.commit()


async def again_or_fail(session: AsyncSession, task: MailTask, error: Exception) -> None:
    status = case((MailTask.tries + 1 >= jobs.max_tries, "failed"), else_="new")
    await session.execute(
        update(MailTask).where(MailTask.id == task.id).values(tries=MailTask.tries + 1, status=status, last_error=repr(error))
    )


async def again_or_raise(session: AsyncSession, task: MailTask) -> None:
    if task.tries >= jobs.max_tries:
        task.status = "failed"
        log.error("mail %s given up", task.id)
        return
    task.tries += 1
    task.status = "new"
    await session.flush()


class BounceLoop:
    def __init__(self, work: Callable[[], Awaitable[int]], interval: float = jobs.interval) -> None:
        self.work, self.interval = work, interval
        self.running = True

    async def forever(self) -> None:
        while self.running:
            log.info("%d mails handled", await self.work())
            await asyncio.sleep(self.interval)
