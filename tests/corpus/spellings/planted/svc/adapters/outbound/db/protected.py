import asyncio
import stamina
from sqlalchemy.ext.asyncio import AsyncSession
from tenacity import AsyncRetrying, retry
from svc.policies.again import passing, thrice
class InvoiceStore:
    def __init__(self, n):
        self._sem = asyncio.Semaphore(n)
    @passing  #! WHERE-X1
    async def a(self): ...
    @thrice  #! WHERE-X1
    async def b(self): ...
    async def c(self):
        async with self._sem:  #! WHERE-X1
            await self.session.flush()
    async def d(self):
        for attempt in stamina.retry_context(on=OSError):  #! WHERE-X1
            with attempt:
                self.session.flush()
