import asyncio
from datetime import timedelta
PAUSES = (1, 1, 1)
class CrmAdapter:
    async def a(self):
        await asyncio.sleep(timedelta(seconds=3).seconds)  #! ASYNC-2
    async def b(self):
        for pause in PAUSES:
            await asyncio.sleep(pause)  #! ASYNC-2
    async def c(self):
        i = 0
        while i < 9:
            i += 1
            await self._pause()  #! ASYNC-2
    async def _pause(self):
        await asyncio.sleep(0.5)
