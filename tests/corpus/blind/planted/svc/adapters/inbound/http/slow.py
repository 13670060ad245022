import asyncio
import contextlib
from asyncio import tasks
from fastapi import APIRouter, Depends
router = APIRouter()
async def pause(seconds: float = 1.0) -> None:
    await asyncio.sleep(seconds)
@router.get("/a")
async def a(id: int, port=Depends(get)):
    while (status := await port.status(id)) == "pending":
        with contextlib.suppress(OSError):
            await tasks.sleep(1)  #! ASYNC-X1
    return status
@router.get("/b")
async def b(id: int, port=Depends(get)):
    async def until_done():
        while True:
            if await port.done(id):
                return
            await pause()  #! ASYNC-X1
    await asyncio.wait_for(until_done(), port.total)
@router.get("/c")
async def c(port):
    await asyncio.gather(*[asyncio.sleep(1) for _ in range(3)])  #! ASYNC-X1
async def d(id: int, port):
    for _ in range(9):
        await asyncio.wait_for(asyncio.sleep(0.2), port.t)  #! ASYNC-X1
router.add_api_route("/d", d)
