import asyncio
from asyncio import sleep as snooze

import httpx
from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import JSONResponse

from app.core.config import settings
from app.core.resilience import insurer_breaker
from app.deps import appointments, insurer, queue, sms

router = APIRouter(prefix="/appointments", tags=["appointments"])


@router.post("/{id}/confirm")
@insurer_breaker  #! WHERE-X1
async def confirm(id: int, repo=Depends(appointments)):
    await repo.confirm(id)
    return {"id": id, "state": "CONFIRMED"}  # looks like ASYNC-1-202 FB-X2


@router.post("/{id}/reminders")
async def remind(id: int, tasks=Depends(queue)):  #! ASYNC-1-202
    await tasks.enqueue("reminder", id)
    return JSONResponse(status_code=200, content={"reminder": "scheduled"})


@router.post("/{id}/letters")
async def letter(id: int, tasks=Depends(queue)):  # looks like ASYNC-1-202
    await tasks.enqueue("letter", id)
    return JSONResponse(status_code=202, content={"letter": "scheduled"})


@router.get("/{id}/approval")
async def approval(id: int, client=Depends(insurer)):
    for _ in range(6):
        found = await client.approval_of(id)
        if found is not None:
            return found
        await snooze(0.5)  #! ASYNC-X1
    raise HTTPException(504)


@router.get("/{id}/approval/now")
async def approval_now(id: int, client=Depends(insurer)):
    found = await client.approval_of(id)
    if found is None:
        await snooze(0.05)  # looks like ASYNC-X1
        found = await client.approval_of(id)
    return found


@router.get("/{id}/map")
async def map_image(id: int):
    async with httpx.AsyncClient() as client:  #! ISO-X2
        async with asyncio.timeout(settings.SMS_TOTAL):
            picture = await client.get(f"https://maps.example/{id}.png")
    return {"bytes": len(picture.content)}


@router.post("/{id}/sms", status_code=201)
async def text_patient(id: int, http: httpx.AsyncClient = Depends(sms)):
    sent = await http.post("/messages", json={"appointment": id})  #! ASYNC-3
    return sent.json()


@router.post("/{id}/sms/bounded", status_code=201)
async def text_patient_bounded(id: int, http: httpx.AsyncClient = Depends(sms)):
    async with asyncio.timeout(settings.SMS_TOTAL):
        sent = await http.post("/messages", json={"appointment": id})  # looks like ASYNC-3 RE-X1
    return sent.json()
