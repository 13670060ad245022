import asyncio
import math
import os
import random
import time
import anyio
from dataclasses import dataclass, field
from datetime import timedelta
from types import SimpleNamespace
from typing import NamedTuple
from svc.policies.clock import Pause, PollSettings, Waits, doze, nap
from svc.policies import clock
settings = PollSettings()
class Gaps(NamedTuple):
    long: float = 22.0
@dataclass
class Plan:
    pause: float = field(default=33.0)
OPTIONS = SimpleNamespace(pause=44)
pauses = [1]
pauses.append(30)
table = {"a": 1}
table["b"] = 31
class Worker:
    def __init__(self, settings: PollSettings | None = None, plan: Plan | None = None) -> None:
        self.settings = settings or PollSettings()
        self.plan = plan
    async def a(self):
        await nap(Pause.LONG.value)  #! ASYNC-X2
    async def b(self):
        await asyncio.sleep(Waits().gap)  #! ASYNC-X2
    async def c(self):
        await asyncio.sleep(settings.interval)  #! ASYNC-X2
    async def d(self):
        await asyncio.sleep(self.settings.interval)  #! ASYNC-X2
    async def e(self):
        await asyncio.sleep(float(os.getenv("PAUSE", "30")))  #! ASYNC-X2
    async def f(self):
        await asyncio.sleep(int(os.environ.get("PAUSE", 30)))  #! ASYNC-X2
    async def g(self):
        await asyncio.sleep(math.ceil(5.5))  #! ASYNC-X2
    async def h(self):
        await asyncio.sleep(pow(2, 4))  #! ASYNC-X2
    async def i(self):
        await asyncio.sleep(math.inf)  #! ASYNC-X2
    async def j(self):
        await doze(20)  #! ASYNC-X2
    async def k(self):
        await clock.doze(seconds=20)  #! ASYNC-X2
    async def l(self):
        await asyncio.sleep(Gaps().long)  #! ASYNC-X2
    async def m(self):
        await asyncio.sleep(self.plan.pause)  #! ASYNC-X2
    async def n(self):
        await asyncio.sleep(OPTIONS.pause)  #! ASYNC-X2
    async def o(self):
        for pause in pauses:
            await asyncio.sleep(pause)  #! ASYNC-X2
    async def p(self):
        await asyncio.sleep(table["b"])  #! ASYNC-X2
    async def q(self):
        await anyio.sleep_forever()  #! ASYNC-X2
    async def r(self):
        await anyio.sleep_until(anyio.current_time() + 60)  #! ASYNC-X2
    async def s(self, kind):
        match kind:
            case "slow":
                pause = 60
            case _:
                pause = 1
        await asyncio.sleep(pause)  #! ASYNC-X2
    async def t(self):
        await asyncio.sleep(1 + random.randint(3, 9))  #! ASYNC-X2
    async def u(self):
        await asyncio.sleep(timedelta(minutes=5) / timedelta(seconds=1))  #! ASYNC-X2
    async def v(self, attempt):
        await asyncio.sleep([1, 2, 30][attempt])  #! ASYNC-X2
    async def w(self):
        await asyncio.sleep(sum((3, 4)))  #! ASYNC-X2
    async def x(self, delays=(1, 20)):
        await asyncio.sleep(delays[-1])  #! ASYNC-X2
    def y(self):
        time.sleep(0x1E)  #! ASYNC-X2
    async def z(self):
        await asyncio.gather(self.other(), asyncio.sleep(delay=7.5))  #! ASYNC-X2
