import asyncio
import httpx
from asyncio import timeouts
from datetime import timedelta
from tenacity import stop_after_delay
LIMITS = {"max_connections": 20}
class MailAdapter:
    def a(self):
        return httpx.Limits(**LIMITS)  #! CFG-X1
    async def b(self):
        async with timeouts.timeout(5):  #! CFG-X1
            await self.x()
    async def c(self):
        loop = asyncio.get_running_loop()
        async with asyncio.timeout_at(loop.time() + 5):  #! CFG-X1
            await self.x()
    def d(self):
        return stop_after_delay(timedelta(seconds=5))  #! CFG-X1
    def e(self, seconds=3):
        return asyncio.timeout(seconds)  #! CFG-X1
