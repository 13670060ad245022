"""Orders on SQLAlchemy Core, with the protection somebody found useful."""
import asyncio
from typing import Any

import backoff
import pybreaker
import stamina
from aiobreaker import CircuitBreaker
from sqlalchemy import Column, Integer, MetaData, Numeric, String, Table, insert, select
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Session

from shop import conf

metadata = MetaData()
orders = Table(
    "orders",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("status", String(10)),
    Column("total", Numeric(12, 2)),
)
db_breaker = pybreaker.CircuitBreaker(fail_max=conf.wallet.fail_max, reset_timeout=conf.wallet.open_for.seconds, name="orders-db")
sql_breaker = CircuitBreaker(fail_max=conf.wallet.fail_max, timeout_duration=conf.wallet.open_for, name="orders-sql")
connections = asyncio.Semaphore(conf.jobs.batch)


class OrdersRepository:
    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection
        self.status = sql_breaker(self._status)  #! WHERE-X1

    async def _status(self, order_id: int) -> str:
        return (await self.connection.execute(select(orders.c.status).where(orders.c.id == order_id))).scalar_one()

    async def get(self, order_id: int) -> Any:
        async for attempt in stamina.retry_context(on=OperationalError, attempts=conf.wallet.attempts):  #! WHERE-X1
            with attempt:
                row = (await self.connection.execute(select(orders).where(orders.c.id == order_id))).one()
        return row

    @backoff.on_exception(backoff.expo, DBAPIError, max_tries=conf.wallet.attempts)  #! WHERE-X1
    async def save(self, values: dict[str, Any]) -> None:
        await self.connection.execute(insert(orders).values(**values))

    async def all_ids(self) -> list[int]:
        async with connections:  #! WHERE-X1
            result = await self.connection.execute(select(orders.c.id))
        return list(result.scalars())

    async def exists(self, order_id: int) -> bool:
        row = (await self.connection.execute(select(orders.c.id).where(orders.c.id == order_id))).first()
        return row is not None

    async def total(self, order_id: int) -> Any:
        return (await self.connection.execute(select(orders.c.total).where(orders.c.id == order_id))).scalar()


@db_breaker  #! WHERE-X1
def count_orders(session: Session) -> int:
    return session.query(orders).count()


def first_order(session: Session) -> Any:
    return session.query(orders).order_by(orders.c.id).first()
