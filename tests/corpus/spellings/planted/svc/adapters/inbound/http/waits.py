import asyncio
import functools
import itertools
import anyio
from fastapi import APIRouter, Depends
from svc.policies import clock
from svc.policies.clock import breathe, nap
router = APIRouter()
async def ticks(pause):
    while True:
        yield
        await asyncio.sleep(pause)
@router.get("/a")
async def a(port):
    while not await port.ready():
        await breathe()  #! ASYNC-X1
@router.get("/b")
async def b(port):
    for _ in itertools.repeat(None, 5):
        await nap(1)  #! ASYNC-X1
@router.get("/c")
async def c(port):
    for _ in range(3):
        await clock.doze(0.2)  #! ASYNC-X1
@router.get("/e")
async def e(port):
    pause = functools.partial(anyio.sleep, 0.2)
    async for state in port.states():
        if state.done:
            break
        await pause()  #! ASYNC-X1
@router.get("/f")
async def f(port, done: asyncio.Event):
    while not port.done:
        try:
            await asyncio.wait_for(done.wait(), timeout=port.t)  #! ASYNC-X1
        except TimeoutError:
            continue
@router.get("/g")
async def g(port):
    async for _ in ticks(0.5):  #! ASYNC-X1
        if await port.ready():
            return
