import asyncio
from fastapi import APIRouter
router = APIRouter()
@router.get("/a")
async def a(items):
    for item in items:
        await asyncio.sleep(0)
@router.get("/b")
async def b():
    await asyncio.sleep(0.1)
