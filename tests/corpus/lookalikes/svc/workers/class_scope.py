import asyncio
PAUSE = 1
class Worker:
    PAUSE = 60
    async def a(self):
        await asyncio.sleep(PAUSE)
