import asyncio
import httpx
from tenacity import stop_after_attempt
UNLIMITED = None
class InsuranceAdapter:
    def __init__(self, s, attempts):
        self.timeout = httpx.Timeout(s.read, connect=s.connect)
        self.limits = httpx.Limits(max_connections=s.max_connections)
        self.gate = asyncio.Semaphore(s.max_concurrent)
        self.mutex = asyncio.Semaphore(1)
        self.stop = stop_after_attempt(attempts)
    async def a(self):
        async with asyncio.timeout(self.s.total * 2):
            await self.x()
    async def b(self):
        async with asyncio.timeout(UNLIMITED):
            await self.x()
    async def c(self, left):
        return await asyncio.wait_for(self.x(), max(left - 0.1, 0))
