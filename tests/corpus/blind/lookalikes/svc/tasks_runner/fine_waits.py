import asyncio
import random
class R:
    def __init__(self, wait=30):
        self.wait = min(wait, 5)
    async def a(self):
        await asyncio.sleep(self.wait)
    async def b(self):
        await asyncio.sleep(random.uniform(0, 1))
    async def c(self, n):
        await asyncio.sleep(2 ** n)
    async def d(self):
        for attempt in range(2):
            await asyncio.sleep(2 ** attempt)
    async def e(self):
        pause = 60
        if self.fast:
            pause = 1
        else:
            pause = 2
        await asyncio.sleep(pause)
    async def f(self, seconds):
        await asyncio.sleep(seconds / 1000)
