import asyncio, anyio
from asyncio import sleep as _s
from datetime import timedelta
from dataclasses import dataclass, field
import random
BASE = 10
try:
    PAUSE = 30
except ValueError:
    PAUSE = 1
class Times:
    class Long:
        seconds = 90
@dataclass
class Cfg:
    wait: float = 40
    other: float = field(default=50)
class Runner:
    cfg = Cfg()
    def __init__(self, wait=None):
        self.wait = wait or 25
        self.delta = timedelta(seconds=30)
        self.sleep = asyncio.sleep
    async def a(self):
        await asyncio.sleep(PAUSE)  #! ASYNC-X2
    async def b(self):
        await asyncio.sleep(self.wait)  #! ASYNC-X2
    async def c(self):
        await asyncio.sleep(self.delta.total_seconds())  #! ASYNC-X2
    async def d(self):
        await self.sleep(20)  #! ASYNC-X2
    async def e(self):
        await asyncio.sleep(Times.Long.seconds)  #! ASYNC-X2
    async def f(self):
        await asyncio.sleep(BASE + random.random())  #! ASYNC-X2
    async def g(self):
        await asyncio.sleep(*[30])  #! ASYNC-X2
    async def h(self):
        await asyncio.sleep(**{"delay": 30})  #! ASYNC-X2
    async def i(self):
        s = asyncio.sleep
        await s(30)  #! ASYNC-X2
    async def j(self):
        match self.mode:
            case "slow":
                pause = 30
            case _:
                pause = 1
        await _s(pause)  #! ASYNC-X2
    async def k(self):
        await asyncio.sleep(sum([3, 4]))  #! ASYNC-X2
    async def l(self):
        await asyncio.sleep(delay_for("slow"))  #! ASYNC-X2
    async def m(self):
        await asyncio.sleep(self.cfg.wait)  #! ASYNC-X2
    async def n(self):
        for i, pause in enumerate((1, 20)):
            await asyncio.sleep(pause)  #! ASYNC-X2
    async def o(self):
        pauses = [1, 2]
        pauses.append(30)
        await asyncio.sleep(pauses[-1])  #! ASYNC-X2
def delay_for(kind):
    if kind == "slow":
        return 60
    return 1
