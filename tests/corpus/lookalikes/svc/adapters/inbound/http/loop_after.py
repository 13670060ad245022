import asyncio
from fastapi import APIRouter
router = APIRouter()
@router.get("/a")
async def a(items):
    for item in items:
        item.check()
    await asyncio.sleep(0.1)
@router.get("/b")
async def b(items):
    for item in items:
        item.check()
    else:
        await asyncio.sleep(0.1)
