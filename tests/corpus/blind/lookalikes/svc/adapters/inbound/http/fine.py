import asyncio
from fastapi import APIRouter
router = APIRouter()
@router.get("/a")
async def a(ids, port):
    results = [await port.get(i) for i in ids]
    await asyncio.sleep(0.05)
    return results
@router.get("/b")
async def b(limiter):
    async with limiter:
        return 1
@router.on_event("startup")
async def start():
    async def forever():
        while True:
            await asyncio.sleep(1)
    asyncio.create_task(forever())
