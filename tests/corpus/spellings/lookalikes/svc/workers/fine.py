import asyncio
import math
import os
from svc.policies.clock import PollSettings, Waits
settings = PollSettings()
pauses = [1]
pauses.append(2)
class Worker:
    async def a(self): await asyncio.sleep(settings.interval)
    async def b(self): await asyncio.sleep(float(os.getenv("PAUSE", "2")))
    async def c(self): await asyncio.sleep(Waits().gap)
    async def d(self):
        for pause in pauses:
            await asyncio.sleep(pause)
    async def e(self): await asyncio.sleep(math.ceil(1.5))
    async def f(self, stop: asyncio.Event):
        while not stop.is_set():
            try:
                await asyncio.wait_for(stop.wait(), settings.interval)
            except TimeoutError:
                await self.beat()
    async def g(self, kind):
        match kind:
            case "slow":
                pause = 2
            case _:
                pause = 1
        await asyncio.sleep(pause)
