import asyncio
import datetime as dt
from datetime import timedelta
from functools import partial
from hub.core.retrying import TRANSIENT
EVERY = dt.timedelta(minutes=1)
PAUSES = {"idle": 30, "busy": 1}
class Backoff:
    FIRST = 1
    LAST = 60
    def __init__(self):
        self.current = self.FIRST
    def grow(self):
        self.current = min(self.current * 2, self.LAST)
class Loop:
    interval: timedelta = timedelta(seconds=20)
    async def a(self):
        await asyncio.sleep(EVERY.total_seconds())  #! ASYNC-X2
    async def b(self, busy):
        pause = PAUSES["busy" if busy else "idle"]
        await asyncio.sleep(pause)  #! ASYNC-X2
    async def c(self):
        await asyncio.sleep(self.interval.total_seconds())  #! ASYNC-X2
    async def d(self):
        await asyncio.sleep(self.interval / timedelta(seconds=1))  #! ASYNC-X2
    async def e(self):
        naps = [asyncio.sleep(n) for n in (1, 10)]  #! ASYNC-X2
        await asyncio.gather(*naps)
    async def f(self):
        later = partial(asyncio.sleep, delay=15)
        await later()  #! ASYNC-X2
    async def g(self, attempt):
        await asyncio.sleep(min(2 ** attempt, 60) if attempt > 6 else 64)  #! ASYNC-X2
    async def h(self, n=10):
        await asyncio.sleep(n)  #! ASYNC-X2
    async def i(self):
        for n in range(1, 10):
            await asyncio.sleep(n)  #! ASYNC-X2
    async def j(self):
        await asyncio.sleep(int(EVERY / dt.timedelta(seconds=1)))  #! ASYNC-X2
