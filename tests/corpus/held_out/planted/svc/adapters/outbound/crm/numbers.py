import asyncio
import anyio
import httpx
from aiobreaker import CircuitBreaker
from datetime import timedelta
DEADLINE = timedelta(seconds=3)
class CrmAdapter:
    ATTEMPT = 4.0
    async def a(self):
        return await asyncio.wait_for(self.x(), timeout=5)  #! CFG-X1
    async def b(self):
        with anyio.move_on_after(2):  #! CFG-X1
            await self.x()
    async def c(self):
        async with asyncio.timeout(self.ATTEMPT):  #! CFG-X1
            await self.x()
    def d(self):
        return CircuitBreaker(name="crm", fail_max=5, timeout_duration=DEADLINE)  #! CFG-X1
    def e(self, s):
        return httpx.AsyncClient(timeout=10, limits=s.limits)  #! CFG-X1
