import asyncio
import time
from typing import Annotated
from fastapi import APIRouter, BackgroundTasks, Depends, Query, status
from fastapi.responses import JSONResponse
from starlette.requests import Request
router = APIRouter()
POLL = 0.5
async def until(check, every=POLL):
    while not await check():
        await asyncio.sleep(every)  #! ASYNC-X1
@router.get("/orders/{order_id}/label")
async def label(order_id: str, request: Request):
    await until(lambda: request.app.state.labels.exists(order_id))
    return await request.app.state.labels.read(order_id)
@router.get("/orders/{order_id}/events")
def events(order_id: str, bus=Depends()):
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if found := bus.read(order_id):
            return found
        time.sleep(0.25)  #! ASYNC-X1
    return []
@router.post("/orders", response_model=None)
async def create(body: dict, jobs: BackgroundTasks):  #! ASYNC-1-202
    jobs.add_task(run_import, body)
    return JSONResponse({"message": "Import started"}, status.HTTP_201_CREATED)
@router.post("/reports", status_code=200)
async def report(body: dict, request: Request):  #! ASYNC-1-202
    task = generate_report.apply_async(args=[body])
    return {"taskId": task.id}
@router.put("/orders/{order_id}/cancel")
async def cancel(order_id: str, request: Request):  #! ASYNC-1-202
    await request.app.state.redis.lpush("cancellations", order_id)
    return {"state": "pending", "order_id": order_id}
