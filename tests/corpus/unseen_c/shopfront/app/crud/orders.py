import logging

from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.breakers import stock_breaker
from app.models.order import Order

log = logging.getLogger(__name__)
_by_number: dict[str, str] = {}


@stock_breaker  #! WHERE-X1
async def get_order(session: AsyncSession, order_id: str) -> Order | None:
    return await session.get(Order, order_id)


async def orders_of(session: AsyncSession, customer: str) -> list[Order]:
    result = await stock_breaker.call_async(session.execute, select(Order).where(Order.customer == customer))  #! WHERE-X1
    return list(result.scalars())


async def open_orders(session: AsyncSession) -> list[Order]:
    # looks like ASYNC-1-SQL: a page for the shop's clerks, nobody works these off
    result = await session.execute(select(Order).where(Order.state == "OPEN").order_by(Order.created_at))
    return list(result.scalars())


async def insert(session: AsyncSession, order: Order) -> bool:
    try:
        async with session.begin_nested():
            session.add(order)
    except IntegrityError:
        return False  # looks like FB-X2: it says that there was one
    return True


async def remember(number: str, order_id: str) -> None:
    _by_number[number] = order_id


async def ping(session: AsyncSession) -> bool:
    try:
        await session.execute(text("SELECT 1"))  # looks like ASYNC-1-SQL
    except OperationalError:
        log.warning("database is away")
        return False
    return True


def retry_hint(order: Order) -> str:  # looks like WHERE-X1: only the name of it
    return f"order {order.id} may be sent again"
