from fastapi import APIRouter
router = APIRouter()
async def sleep(n): ...
@router.get("/a")
async def a(devices):
    for device in devices:
        await sleep(device)
