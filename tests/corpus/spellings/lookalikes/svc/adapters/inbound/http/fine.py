import asyncio
from fastapi import APIRouter, BackgroundTasks
from svc.policies.clock import breathe, fetch
router = APIRouter()
@router.get("/a")
async def a(port, rows):
    for row in rows:
        await breathe()
        await fetch(port)
@router.get("/b")
async def b(tasks):
    done, _ = await asyncio.wait(tasks, timeout=tasks.t)
    return done
@router.get("/c")
async def c(event: asyncio.Event, s):
    await asyncio.wait_for(event.wait(), s.t)
@router.post("/d", status_code=201)
async def d(body: dict, background: BackgroundTasks):
    order = await uc(body)
    background.add_task(send_receipt, order)
    return {"id": order.id, "status": "new", "total": order.total}
@router.post("/e")
async def e(body: dict):
    await bus.publish("order.created", body)
    return {"id": body["id"], "total": await price(body)}
@router.post("/f", status_code=202)
async def f(body: dict):
    await queue.put(body)
    return {"task_id": body["id"]}
@router.post("/g")
async def g(message: dict):
    return {"message": "processing rules are listed in the manual", "items": await uc(message)}
