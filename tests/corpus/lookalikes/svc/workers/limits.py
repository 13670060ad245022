import asyncio
from datetime import timedelta
FIVE = 5
PAUSES = {"long": 60, "short": 0.5}
class Worker:
    pause = 3
    def __init__(self, pause: float = 1.0):
        self.gap = pause
    async def a(self):
        await asyncio.sleep(FIVE)
    async def b(self):
        await asyncio.sleep(self.pause)
    async def c(self):
        await asyncio.sleep(self.gap)
    async def d(self):
        await asyncio.sleep(PAUSES["short"])
    async def e(self):
        await asyncio.sleep(timedelta(seconds=4).total_seconds())
    async def f(self):
        for pause in (1, 2, 3):
            await asyncio.sleep(pause)
    async def g(self, FIVE):
        await asyncio.sleep(FIVE)
    async def h(self):
        await asyncio.sleep(60 / 1000)
    async def i(self):
        delay = 1
        while self.on:
            await asyncio.sleep(delay)
            delay = min(delay * 2, 4)
