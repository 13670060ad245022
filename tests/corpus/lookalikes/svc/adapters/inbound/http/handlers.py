from fastapi import APIRouter, Depends
router = APIRouter()
@router.get("/breakers")
async def breakers(registry=Depends(get)):
    return registry.breaker.states()
@router.post("/retry", status_code=202)
async def retry(id: int):
    return await uc.retry(id)
