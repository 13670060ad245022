"""Payments API."""
import asyncio
import time
from uuid import UUID, uuid4

from fastapi import APIRouter, BackgroundTasks, Depends, HTTPException, Request, Response, status
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from app.core.delays import SHORT_PAUSE
from app.infrastructure.breakers import acquiring_breaker
from app.infrastructure.container import get_payments, get_repo
from app.repositories.payments import PaymentRepository
from app.use_cases.pay_order import PayOrder

router = APIRouter(prefix="/payments", tags=["payments"])


class PaymentIn(BaseModel):
    order_id: UUID
    amount: str


class PaymentOut(BaseModel):
    id: UUID
    status: str


@router.get("/{payment_id}/wait", response_model=PaymentOut)
async def wait_for_payment(payment_id: UUID, repo: PaymentRepository = Depends(get_repo)) -> PaymentOut:
    payment = await repo.get(payment_id)
    while payment.status == "pending":
        await asyncio.sleep(1)  #! ASYNC-X1
        payment = await repo.get(payment_id)
    return PaymentOut(id=payment.id, status=payment.status)


@router.get("/{payment_id}/receipt")
async def receipt(payment_id: UUID, repo: PaymentRepository = Depends(get_repo)) -> Response:
    for _ in range(10):
        pdf = await repo.receipt(payment_id)
        if pdf is not None:
            return Response(pdf, media_type="application/pdf")
        await asyncio.sleep(SHORT_PAUSE)  #! ASYNC-X1
    raise HTTPException(status.HTTP_404_NOT_FOUND)


@router.get("/{payment_id}/events")
def events(payment_id: UUID, repo: PaymentRepository = Depends(get_repo)) -> list[str]:
    deadline = time.monotonic() + 3
    while time.monotonic() < deadline:
        found = repo.events_sync(payment_id)
        if found:
            return found
        time.sleep(0.2)  #! ASYNC-X1
    return []


async def _settled(repo: PaymentRepository, payment_id: UUID) -> PaymentOut:
    payment = await repo.get(payment_id)
    if payment.status == "settled":
        return PaymentOut(id=payment.id, status=payment.status)
    await asyncio.sleep(0.25)  #! ASYNC-X1
    return await _settled(repo, payment_id)


@router.get("/{payment_id}/settlement", response_model=PaymentOut)
async def settlement(payment_id: UUID, repo: PaymentRepository = Depends(get_repo)) -> PaymentOut:
    return await _settled(repo, payment_id)


@router.post("", response_model=PaymentOut, status_code=status.HTTP_201_CREATED)
@acquiring_breaker  #! WHERE-X1
async def create_payment(body: PaymentIn, use_case: PayOrder = Depends(get_payments)) -> PaymentOut:
    payment = await use_case(body.order_id, body.amount)
    return PaymentOut(id=payment.id, status=payment.status)


@router.post("/batch")
async def pay_batch(body: list[PaymentIn], request: Request):  #! ASYNC-1-202
    batch_id = uuid4()
    await request.app.state.queue.enqueue("pay_batch", batch_id, [item.model_dump() for item in body])
    return {"batch_id": str(batch_id), "status": "queued"}


@router.post("/{payment_id}/resend")
async def resend_receipt(payment_id: UUID, request: Request):  #! ASYNC-1-202
    await request.app.state.queue.enqueue("resend_receipt", str(payment_id))
    return JSONResponse({"status": "queued"}, status_code=200)


@router.post("/reconcile", status_code=status.HTTP_202_ACCEPTED)
async def reconcile(request: Request) -> dict[str, str]:
    job_id = await request.app.state.queue.enqueue("reconcile")
    return {"job": job_id, "status": "queued"}


@router.post("/statements")
async def statement(request: Request, response: Response) -> dict[str, str]:
    job_id = await request.app.state.queue.enqueue("statement")
    response.status_code = status.HTTP_202_ACCEPTED
    return {"job": job_id, "status": "queued"}


@router.post("/{payment_id}/viewed")
async def viewed(payment_id: UUID, tasks: BackgroundTasks, repo: PaymentRepository = Depends(get_repo)) -> PaymentOut:
    payment = await repo.get(payment_id)
    return PaymentOut(id=payment.id, status=payment.status)
