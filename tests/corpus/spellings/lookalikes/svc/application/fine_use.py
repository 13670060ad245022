import asyncio
from sqlalchemy.ext.asyncio import AsyncSession
class CloseDay:
    async def execute(self, rows):
        for row in rows:
            await self.port.close(row)
        await asyncio.sleep(0.01)
async def load(session: AsyncSession, id: int): return await session.get(Order, id)
class Ticker:
    async def run(self, stop):
        while not stop.is_set():
            await asyncio.sleep(1)
