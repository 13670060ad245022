"""Orders, as the web shop sees them."""
import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import stamina
from fastapi import APIRouter, BackgroundTasks, Depends, Request, status
from fastapi.responses import JSONResponse, ORJSONResponse
from sqlalchemy.exc import DBAPIError

from shop.app_state import mailer, orders, orders_breaker
from shop.constants import FINAL, TICK
from shop.jobs.mails import send_invoice
from shop.ports import Mailer, Orders

router = APIRouter()


async def _until(check: Callable[[], Awaitable[bool]]) -> None:
    while not await check():
        await asyncio.sleep(TICK)  #! ASYNC-X1


@router.get("/orders/{order_id}/done")
async def done(order_id: int, repo: Orders = Depends(orders)) -> dict[str, str]:
    async def finished() -> bool:
        return await repo.status(order_id) in FINAL

    await _until(finished)
    return {"status": await repo.status(order_id)}


@router.get("/orders/{order_id}/paid")
async def paid(order_id: int, repo: Orders = Depends(orders)) -> dict[str, str]:
    while (state := await repo.status(order_id)) != "paid":
        if state in FINAL:
            break
        await anyio.sleep(0.3)  #! ASYNC-X1
    return {"status": state}


@router.get("/orders/{order_id}/shipped")
async def shipped(order_id: int, repo: Orders = Depends(orders)) -> dict[str, Any]:
    async def poll() -> str:
        for n in itertools.count():
            state = await repo.status(order_id)
            if state == "shipped" or n > 20:
                return state
            await asyncio.sleep(delay=0.5)  #! ASYNC-X1

    return {"status": await poll()}


@router.get("/orders/{order_id}")
@stamina.retry(on=DBAPIError)  #! WHERE-X1
async def read_order(order_id: int, repo: Orders = Depends(orders)) -> Any:
    return await repo.get(order_id)


@router.post("/orders", status_code=status.HTTP_201_CREATED)
async def create_order(body: dict[str, Any], repo: Orders = Depends(orders)) -> Any:
    return await orders_breaker.call_async(repo.save, body)  #! WHERE-X1


@router.post("/orders/{order_id}/invoice")
async def invoice(order_id: int, tasks: BackgroundTasks) -> dict[str, str]:  #! ASYNC-1-202
    tasks.add_task(send_invoice, order_id)
    return {"status": "queued"}


@router.post("/orders/{order_id}/export")
async def export(order_id: int, request: Request):  #! ASYNC-1-202
    job = await request.app.state.arq.enqueue_job("export_order", order_id)
    return ORJSONResponse(status_code=status.HTTP_200_OK, content={"job": job.job_id, "status": "accepted"})


async def reorder(order_id: int, request: Request) -> dict[str, str]:  #! ASYNC-1-202
    job = await request.app.state.arq.enqueue_job("reorder", order_id)
    return {"job": job.job_id, "state": "queued"}


async def archive(order_id: int, request: Request) -> dict[str, str]:
    job = await request.app.state.arq.enqueue_job("archive", order_id)
    return {"job": job.job_id, "state": "queued"}


router.add_api_route("/orders/{order_id}/reorder", reorder, methods=["POST"], status_code=200)
router.add_api_route("/orders/{order_id}/archive", archive, methods=["POST"], status_code=202)


@router.post("/orders/{order_id}/print")
async def print_order(order_id: int, request: Request) -> JSONResponse:
    job = await request.app.state.arq.enqueue_job("print_order", order_id)
    return JSONResponse({"job": job.job_id}, status.HTTP_202_ACCEPTED)


@router.post("/orders/{order_id}/mail")
async def mail_order(order_id: int, sender: Mailer = Depends(mailer)) -> dict[str, str]:
    return {"message": await sender.send("shop@example.org", f"order {order_id}", "")}


@router.get("/orders/{order_id}/ready")
async def ready(order_id: int, request: Request) -> dict[str, bool]:
    event: asyncio.Event = request.app.state.events[order_id]
    try:
        async with asyncio.timeout(request.app.state.patience):
            await event.wait()
    except TimeoutError:
        return {"ready": False}
    return {"ready": True}
