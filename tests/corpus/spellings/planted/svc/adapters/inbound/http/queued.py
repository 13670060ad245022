import asyncio
from http import HTTPStatus
from fastapi import APIRouter
router = APIRouter()
@router.post("/a")
async def a(body: dict):  #! ASYNC-1-202
    await queue.put(body)
    return {"task_id": body["id"]}
@router.post("/b")
async def b(body: dict):  #! ASYNC-1-202
    asyncio.create_task(work(body))
    return {"job_id": 1, "message": "started"}
@router.post("/c", status_code=HTTPStatus.CREATED)
async def c(body: dict):  #! ASYNC-1-202
    job = await jobs.create(body)
    return JobOut(id=job.id, status=JobStatus.QUEUED)
@router.post("/d")
async def d(body: dict):  #! ASYNC-1-202
    await redis.rpush("jobs", body)
    return {"detail": "Your order has been queued"}
async def e(body: dict):  #! ASYNC-1-202
    await broker.enqueue(body)
    return {"id": 1}
router.add_api_route("/e", e, methods=["POST"])
@router.post("/f")
async def f(body: dict):  #! ASYNC-1-202
    await producer.publish("orders", body)
    return {"status": "processing", "operation_id": body["id"]}
@router.put("/g")
async def g(body: dict):  #! ASYNC-1-202
    task = await uc(body)
    return TaskAccepted(task_id=task.id)
