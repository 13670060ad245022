import asyncio
from fastapi import APIRouter
api = APIRouter(prefix="/waits")
@api.api_route("/a", methods=["GET"])
async def by_api_route(id: int, port):
    pause = asyncio.sleep
    while (await port.state(id)) != "done":
        await pause(1)  #! ASYNC-X1
@api.websocket("/b")
async def by_websocket(ws, port):
    async def tick():
        await asyncio.sleep(0.2)
    for _ in range(50):
        if await port.ready():
            break
        await tick()  #! ASYNC-X1
@api.post("/c", status_code=202)
async def two_helpers_deep(id: int, port):
    while not await port.ready():
        await _outer()  #! ASYNC-X1
async def _outer():
    await _inner()
async def _inner():
    await asyncio.sleep(1)
