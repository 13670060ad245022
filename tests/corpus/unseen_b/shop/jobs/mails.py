"""Mail jobs."""
import asyncio
import datetime as dt
from asyncio import sleep
from typing import Any

import anyio
import asyncpg
from sqlalchemy import Column, DateTime, Integer, MetaData, String, Table, bindparam, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Session

from shop import constants
from shop.conf import Jobs, jobs
from shop.constants import COOL_DOWN, DELAYS, HALF_MINUTE
from shop.models import MailTask
from shop.ports import Mailer

TABLE = "mail_task"
mails = Table(
    TABLE,
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("status", String(10)),
    Column("tries", Integer),
    Column("due", DateTime),
)
READY = (mails.c.status == "new") & (mails.c.due <= func.now())


async def send_invoice(order_id: int) -> None:
    await sleep(constants.TICK)


async def due_core(connection: AsyncConnection) -> list[Any]:
    query = select(mails.c.id, mails.c.due).where(READY).order_by(mails.c.due).limit(jobs.batch)  #! ASYNC-1-SQL
    return list(await connection.execute(query))


async def due_text(connection: AsyncConnection, limit: int) -> list[Any]:
    sql = text(f"SELECT id, tries FROM {TABLE} WHERE status = 'new' AND due <= now() ORDER BY due LIMIT {limit} FOR UPDATE NOWAIT")  #! ASYNC-1-SQL
    return list(await connection.execute(sql))


def due_orm(session: Session) -> list[MailTask]:
    return session.query(MailTask).filter_by(status="new").order_by(MailTask.due).limit(jobs.batch).all()  #! ASYNC-1-SQL


async def claim(connection: AsyncConnection) -> list[int]:
    chosen = select(mails.c.id).where(READY).limit(jobs.batch).with_for_update(skip_locked=False)  #! ASYNC-1-SQL
    stmt = update(mails).where(mails.c.id.in_(chosen)).values(status="busy").returning(mails.c.id)
    return list((await connection.execute(stmt)).scalars())


async def due_asyncpg(pool: asyncpg.Pool) -> list[asyncpg.Record]:
    return await pool.fetch("SELECT id FROM mail_task WHERE status = 'new' AND due <= now() LIMIT 20 FOR UPDATE")  #! ASYNC-1-SQL


async def claim_well(connection: AsyncConnection) -> list[int]:
    chosen = select(mails.c.id).where(READY).limit(jobs.batch).with_for_update(skip_locked=True)
    stmt = update(mails).where(mails.c.id.in_(chosen)).values(status="busy").returning(mails.c.id)
    return list((await connection.execute(stmt)).scalars())


async def claim_text(connection: AsyncConnection) -> list[Any]:
    query = f"SELECT id FROM {TABLE} WHERE status = 'new' AND due <= now() LIMIT :n"
    return list(await connection.execute(text(query + " FOR UPDATE SKIP LOCKED"), {"n": jobs.batch}))


async def one(connection: AsyncConnection, mail_id: int) -> Any:
    return (await connection.execute(select(mails).where(mails.c.id == bindparam("id")), {"id": mail_id})).one()


async def cool_down() -> None:
    await sleep(COOL_DOWN.seconds)  #! ASYNC-X2


async def between_batches() -> None:
    await anyio.sleep(HALF_MINUTE)  #! ASYNC-X2


async def slow_start() -> None:
    await asyncio.sleep(DELAYS["slow"])  #! ASYNC-X2


async def fast_start() -> None:
    await asyncio.sleep(DELAYS["fast"])


async def wait_a_bit(seconds: float = 12.0) -> None:
    await asyncio.sleep(seconds)  #! ASYNC-X2


async def backing_off(mailer: Mailer, message: str, conf: Jobs = jobs) -> str:
    for n in range(conf.max_tries):
        state = await mailer.bounce_state(message)
        if state in constants.FINAL:
            return state
        await asyncio.sleep(min(4.0, 0.1 * 2**n))
    return "unknown"


async def until_midnight(now: dt.datetime) -> None:
    await asyncio.sleep(max(15, (24 - now.hour) * 3600))  #! ASYNC-X2
