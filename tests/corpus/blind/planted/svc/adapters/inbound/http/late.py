from fastapi import APIRouter, Response, status
from fastapi.responses import JSONResponse
router = APIRouter()
@router.post("/a", status_code=status.HTTP_200_OK)
async def a(body: dict):  #! ASYNC-1-202
    task = await tasks.create(body)
    return JSONResponse({"status": "queued", "task_id": task.id})
@router.post("/b")
async def b(body: dict, response: Response):  #! ASYNC-1-202
    response.status_code = 200
    return {"status": "queued"}
@router.post("/c")
async def c(body: dict):  #! ASYNC-1-202
    result = {}
    result["status"] = "queued"
    return result
@router.post("/d")
async def d(body: dict):  #! ASYNC-1-202
    await work.delay(body)
    return {"id": 1}
