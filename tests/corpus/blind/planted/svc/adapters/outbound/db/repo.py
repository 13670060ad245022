import functools
import stamina
from aiobreaker import CircuitBreaker
from tenacity import retry, AsyncRetrying
db_breaker = CircuitBreaker(name="db")
class InvoiceRepository:
    def __init__(self):
        self._breaker = CircuitBreaker(name="db2")
        self.load = retry(wait=w(), retry=r())(self.load)  #! WHERE-X1
    async def a(self):
        return await self._breaker.call_async(self._load)  #! WHERE-X1
    async def b(self):
        async for attempt in stamina.retry_context(on=OSError):  #! WHERE-X1
            with attempt:
                await self.session.flush()
    @db_breaker  #! WHERE-X1
    async def c(self): ...
    @functools.partial(retry, wait=w(), retry=r())  #! WHERE-X1
    async def d(self): ...
    async def e(self):
        async with self.bulkhead:  #! WHERE-X1
            await self.session.flush()
