import asyncio
from fastapi import APIRouter
from fastapi.responses import StreamingResponse
router = APIRouter()
@router.get("/once")
async def once():
    await asyncio.sleep(0)
    return {}
@router.get("/rows")
async def rows(source):
    for row in source:
        await asyncio.sleep(0)
        yield row
