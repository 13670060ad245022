import asyncio
import asyncio as aio
from asyncio import sleep as rest
from fastapi import APIRouter
orders = APIRouter()
@orders.post("/a", status_code=202)
async def in_try(id: int, port):
    while True:
        try:
            return await port.result(id)
        except LookupError:
            await aio.sleep(1)  #! ASYNC-X1
@orders.get("/b")
async def in_with(id: int, port):
    for attempt in range(20):
        async with port.session() as session:
            if not await session.done(id):
                await rest(0.1)  #! ASYNC-X1
@orders.get("/c")
async def in_else(id: int, port):
    for attempt in port.attempts():
        if await port.done(id):
            break
        else:
            await asyncio.sleep(delay=0.5)  #! ASYNC-X1
@orders.get("/d")
async def helper_with_loop(id: int, port):
    await wait_for_it(id, port)
async def wait_for_it(id, port):
    while not await port.done(id):
        await asyncio.sleep(1)  #! ASYNC-X1
@orders.get("/e")
async def comprehension(id: int):
    return [await asyncio.sleep(1) for _ in range(5)]  #! ASYNC-X1
class Resource:
    @orders.put("/f", status_code=202)
    async def method(self, id: int):
        while self.open:
            await self._rest()  #! ASYNC-X1
    async def _rest(self):
        await asyncio.sleep(0.1)
