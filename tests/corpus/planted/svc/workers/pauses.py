import asyncio as aio
import anyio
import time
from datetime import timedelta as delta
from enum import Enum, IntEnum
LIMITS = {"pause": 7}
SECOND = 1
class Pause(IntEnum):
    LONG = 60
class Defaults:
    wait: float = 8.0
class Worker:
    every = 2 * 30
    def __init__(self):
        self.idle = 45
        self.busy: float = LATER
    async def a(self):
        await aio.sleep(Defaults.wait)  #! ASYNC-X2
    async def b(self):
        await anyio.sleep(Worker.every)  #! ASYNC-X2
    async def c(self):
        await aio.sleep(self.idle)  #! ASYNC-X2
    async def d(self):
        await aio.sleep(self.busy)  #! ASYNC-X2
    async def e(self):
        await aio.sleep(Pause.LONG.value)  #! ASYNC-X2
    async def f(self):
        await aio.sleep(LIMITS.get("pause", 1))  #! ASYNC-X2
    async def g(self):
        await aio.sleep(delta(seconds=3, milliseconds=3000) / delta(seconds=1))  #! ASYNC-X2
    async def h(self):
        await aio.sleep(float("30"))  #! ASYNC-X2
    async def i(self):
        for wait in [1, 2, 4, 8]:
            await aio.sleep(wait)  #! ASYNC-X2
    async def j(self):
        for n in range(5):
            await aio.sleep(2 ** n)  #! ASYNC-X2
    async def k(self):
        wait = 1
        while True:
            await aio.sleep(wait)  #! ASYNC-X2
            wait = min(wait * 2, 60)
    def l(self):
        time.sleep(10 * SECOND)  #! ASYNC-X2
    async def m(self):
        await aio.wait_for(aio.sleep(20), 30)  #! ASYNC-X2 CFG-X1
    async def n(self):
        await __import__("asyncio").sleep(30)  #! ASYNC-X2
    async def o(self, sleep=aio.sleep):
        await sleep(30)  #! ASYNC-X2
    async def p(self, *, pause=90):
        await aio.sleep(pause)  #! ASYNC-X2
LATER = 33
