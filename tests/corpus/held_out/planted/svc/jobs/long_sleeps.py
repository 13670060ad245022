import asyncio
import trio
from datetime import timedelta
from functools import partial
from typing import Final
HOUR: Final = 60 * 60
DELAYS = {"short": 1, "long": 40}
STEPS = (1, 2, 30)
EVERY = timedelta(minutes=2)
rest = partial(asyncio.sleep, 15)
class Job:
    def __init__(self, pause: float = 20.0):
        self._pause = pause
        self._gap = 2 * 7
    async def by_hour(self):
        await asyncio.sleep(HOUR / 2)  #! ASYNC-X2
    async def by_dict(self):
        await asyncio.sleep(DELAYS["long"])  #! ASYNC-X2
    async def by_loop_value(self):
        for step in STEPS:
            await asyncio.sleep(step)  #! ASYNC-X2
    async def by_delta(self):
        await asyncio.sleep(EVERY.total_seconds())  #! ASYNC-X2
    async def by_init_default(self):
        await asyncio.sleep(self._pause)  #! ASYNC-X2
    async def by_init_value(self):
        await asyncio.sleep(self._gap)  #! ASYNC-X2
    async def by_conditional(self, slow):
        await trio.sleep(10 if slow else 1)  #! ASYNC-X2
    async def by_branch(self, slow):
        delay = 1
        if slow:
            delay = 9
        await asyncio.sleep(delay)  #! ASYNC-X2
    async def by_growth(self):
        delay = 2
        delay *= 4
        await asyncio.sleep(delay)  #! ASYNC-X2
    async def by_maximum(self, asked):
        await asyncio.sleep(max(asked, 8))  #! ASYNC-X2
    async def by_walrus(self):
        await asyncio.sleep(t := 11)  #! ASYNC-X2
    async def by_unpacking(self):
        first, second = 1, 25
        await asyncio.sleep(second)  #! ASYNC-X2
    async def by_partial(self):
        await rest()  #! ASYNC-X2
    async def by_helper(self):
        await self._nap(12)  #! ASYNC-X2
    async def _nap(self, seconds):
        await asyncio.sleep(seconds)
