import asyncio
from asyncio import sleep as nap
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Depends, HTTPException, Response, status
from pydantic import BaseModel

from remit.bootstrap.breakers import view_breaker
from remit.bootstrap.deps import get_tasks, get_transfers, get_view
from remit.ports import LedgerUnavailable
from remit.settings import settings

router = APIRouter(prefix="/transfers")


class SettlementIn(BaseModel):
    account: str


@router.get("/{transfer_id}")
async def show(transfer_id: str, view=Depends(get_view)):
    try:
        return await view.get(transfer_id)
    except LedgerUnavailable as error:
        raise HTTPException(503, headers={"Retry-After": str(error.retry_after_s)}) from error


@router.get("/{transfer_id}/balance")
@view_breaker  #! WHERE-X1
async def balance(transfer_id: str, view=Depends(get_view)):
    return await view.balance(transfer_id)


@router.post("/{transfer_id}/settlements")
async def settle(transfer_id: str, body: SettlementIn, tasks=Depends(get_tasks)):  #! ASYNC-1-202
    task_id = await tasks.enqueue("settlement", {"transfer": transfer_id, "account": body.account})
    return {"task_id": task_id, "status": "PENDING"}


@router.post("/{transfer_id}/reversals", status_code=status.HTTP_202_ACCEPTED)
async def reverse(transfer_id: str, tasks=Depends(get_tasks)):
    # looks like ASYNC-1-202: it says 202
    task_id = await tasks.enqueue("reversal", {"transfer": transfer_id})
    return {"task_id": task_id, "status": "PENDING"}


@router.post("/{transfer_id}/notices")
async def notice(transfer_id: str, response: Response, tasks=Depends(get_tasks)):
    task_id = await tasks.enqueue("notice", {"transfer": transfer_id})
    response.status_code = 202  # looks like ASYNC-1-202
    return {"task_id": task_id}


@router.post("", status_code=201)
async def create(body: SettlementIn, transfers: Annotated[object, Depends(get_transfers)]):
    transfer = await transfers.create(str(uuid4()), body.account)  # looks like ASYNC-1-202: done before the answer
    return {"id": transfer.id, "status": transfer.state}


@router.get("/{transfer_id}/wait")
async def wait_until_done(transfer_id: str, view=Depends(get_view)):
    for _ in range(settings.worker.max_attempts):
        row = await view.get(transfer_id)
        if row.state == "CLOSED":
            return row
        await nap(settings.worker.idle_s)  #! ASYNC-X1
    raise HTTPException(status.HTTP_504_GATEWAY_TIMEOUT)


@router.get("/{transfer_id}/receipt")
async def receipt(transfer_id: str, view=Depends(get_view)):
    async def ready(left: int) -> bytes | None:
        document = await view.receipt(transfer_id)
        if document is not None or left == 0:
            return document
        await asyncio.sleep(settings.worker.idle_s)  #! ASYNC-X1
        return await ready(left - 1)

    document = await ready(settings.worker.max_attempts)
    return Response(document or b"", media_type="application/pdf")
