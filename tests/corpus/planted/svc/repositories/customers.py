import aiobreaker
import tenacity
from circuitbreaker import circuit
from tenacity import Retrying
breaker = aiobreaker.CircuitBreaker(name="db")
class CustomerRepository:
    @circuit  #! WHERE-X1
    async def a(self):
        return await self.session.scalar(q)
    @breaker  #! WHERE-X1
    async def b(self):
        return await self.session.scalar(q)
    def c(self):
        for attempt in Retrying(wait=w(), retry=r()):  #! WHERE-X1
            with attempt:
                self.session.commit()
    @tenacity.retry(wait=w(), retry=r())  #! WHERE-X1
    def d(self): ...
