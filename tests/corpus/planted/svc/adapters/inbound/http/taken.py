from fastapi import APIRouter, Response
from fastapi.responses import ORJSONResponse
router = APIRouter()
QUEUED = {"status": "queued"}
@router.post("/a")
async def a(body: dict):  #! ASYNC-1-202
    await uc(body)
    return QUEUED
@router.patch("/b")
def b(body: dict):  #! ASYNC-1-202
    return ORJSONResponse(content={"status": "accepted"})
@router.api_route("/c", methods=["POST"])
async def c(body: dict):  #! ASYNC-1-202
    return {"task_id": 1, "status": "QUEUED"}
@router.post("/d", response_model=Accepted)
async def d(body: dict):  #! ASYNC-1-202
    return Accepted(status="queued", task_id=1)
@router.post("/e", status_code=201)
async def e(body: dict):  #! ASYNC-1-202
    await scheduler.enqueue(body)
    return {"id": 1}
