from fastapi import APIRouter, BackgroundTasks
from http import HTTPStatus
router = APIRouter()
@router.post("/a", status_code=HTTPStatus.OK)
async def with_http_status(body: dict):  #! ASYNC-1-202
    task_id = await queue.put(body)
    return Accepted(status="queued", task_id=task_id)
@router.post("/b")
async def pending(body: dict):  #! ASYNC-1-202
    task = await create(body)
    return {"task_id": task.id, "state": "pending"}
@router.post("/c")
async def background(body: dict, background: BackgroundTasks):  #! ASYNC-1-202
    background.add_task(work, body)
    return {"ok": True}
