from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Depends, Response, status

from parcels.infrastructure.wiring import carrier, scheduler, shipments

router = APIRouter(prefix="/shipments")


@router.post("")
async def book(body: dict, queue: Annotated[object, Depends(scheduler)]) -> dict:  #! ASYNC-1-202
    task = await queue.enqueue("book", body)
    return {"state": "queued", "task": task}


@router.post("/bulk", status_code=status.HTTP_202_ACCEPTED)
async def book_many(body: list[dict], queue=Depends(scheduler)) -> dict:  # looks like ASYNC-1-202
    tasks = [await queue.enqueue("book", item) for item in body]
    return {"state": "queued", "tasks": tasks}


@router.put("/{number}/address", response_model=dict)
async def change_address(number: str, body: dict, response: Response, queue=Depends(scheduler)):  # looks like ASYNC-1-202
    task = await queue.enqueue("address", {"number": number, **body})
    response.status_code = status.HTTP_202_ACCEPTED
    return {"state": "queued", "task": task}


@router.post("/{number}/notes", status_code=status.HTTP_201_CREATED)
async def add_note(number: str, body: dict, store=Depends(shipments)) -> dict:  # looks like ASYNC-1-202
    note = await store.add_note(number, body["text"])
    return {"id": note.id}


@router.post("/{number}/label", status_code=status.HTTP_200_OK)
async def print_label(number: str, jobs: BackgroundTasks, store=Depends(shipments)):  #! ASYNC-1-202
    jobs.add_task(store.print_label, number)
    return {"number": number, "status": "accepted"}


@router.get("/{number}/wait")
async def wait_for_delivery(number: str, port=Depends(carrier)) -> dict:
    async def until_delivered(left: int) -> str:
        found = await port.shipment(number)
        if found.state == "delivered" or left == 0:
            return found.state
        await asyncio.sleep(1)  #! ASYNC-X1
        return await until_delivered(left - 1)

    return {"state": await until_delivered(10)}


@router.get("/{number}")
async def show(number: str, port=Depends(carrier)) -> dict:
    found = await port.shipment(number)
    return {"number": found.number, "state": found.state, "status": "queued" if found.state == "new" else "known"}  # looks like ASYNC-1-202
