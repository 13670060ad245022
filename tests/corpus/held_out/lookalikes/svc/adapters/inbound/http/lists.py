from fastapi import APIRouter, status
router = APIRouter()
@router.post("/search")
async def search(body: dict):
    return {"items": await uc(body), "status": "found"}
@router.post("/jobs", status_code=status.HTTP_202_ACCEPTED)
async def start(body: dict, background):
    background.add_task(work, body)
    return {"task_id": 1}
@router.post("/jobs2")
async def late(body: dict):
    return JSONResponse({"status": "queued"}, status_code=202)
