import asyncio
import httpx
from asyncio import Semaphore, wait_for
from tenacity import stop_after_attempt, stop_after_delay, wait_exponential_jitter
import async_timeout
N: int = 3
class InsuranceAdapter:
    limit = Semaphore(10)  #! CFG-X1
    def __init__(self, attempts=5):
        self.stop = stop_after_attempt(attempts)  #! CFG-X1
    async def a(self):
        return await wait_for(self.x(), 2.5)  #! CFG-X1
    def b(self):
        return stop_after_attempt(N) | stop_after_delay(self.s)  #! CFG-X1
    async def c(self):
        async with async_timeout.timeout(5):  #! CFG-X1
            await self.x()
    async def d(self):
        return await self._client.get("/x", timeout=3)  #! CFG-X1
    def e(self, s):
        return httpx.Limits(max_connections=s.n, max_keepalive_connections=5)  #! CFG-X1
    def f(self):
        return wait_exponential_jitter(initial=0.1, max=5)  #! CFG-X1
