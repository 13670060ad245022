import stamina
from fastapi import APIRouter
from sqlalchemy.ext.asyncio import AsyncSession
from tenacity import AsyncRetrying
from aiobreaker import CircuitBreaker
router = APIRouter()
db_breaker = CircuitBreaker(name="db")
orders_breaker = CircuitBreaker(name="orders")
@stamina.retry(on=OSError)  #! WHERE-X1
async def load(session: AsyncSession, id: int):
    return await session.get(Order, id)
async def save(session: AsyncSession, policy: AsyncRetrying):
    async for attempt in policy:  #! WHERE-X1
        with attempt:
            await session.commit()
@router.get("/x")
async def read(port):
    return await orders_breaker.call_async(port.read)  #! WHERE-X1
@db_breaker  #! WHERE-X1
async def store(connection):
    await connection.execute(INSERT)
