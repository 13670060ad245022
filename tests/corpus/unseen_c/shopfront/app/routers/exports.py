import asyncio
import time
from http import HTTPStatus

from fastapi import APIRouter, Depends, status
from fastapi.responses import JSONResponse
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.config import get_config
from app.core.db import get_session
from app.models.job import Job
from app.tasks import rebuild_index, render_catalogue

router = APIRouter(prefix="/exports", tags=["exports"])
config = get_config()


@router.post("/orders")
async def export_orders(month: str, session: AsyncSession = Depends(get_session)):  #! ASYNC-1-202
    job = Job(kind="export", payload={"month": month}, status="PENDING")
    session.add(job)
    await session.commit()
    return JSONResponse({"job": job.id, "state": "queued"}, status_code=200)


@router.post("/refunds")
async def export_refunds(month: str, session: AsyncSession = Depends(get_session)):
    job = Job(kind="refunds", payload={"month": month}, status="PENDING")
    session.add(job)
    await session.commit()
    return JSONResponse({"job": job.id, "state": "queued"}, status_code=HTTPStatus.ACCEPTED)  # looks like ASYNC-1-202


@router.put("/index", status_code=status.HTTP_200_OK)
async def reindex() -> dict[str, str]:  #! ASYNC-1-202
    task = rebuild_index.delay()
    return {"task": task.id, "state": "queued"}


@router.put("/catalogue", status_code=202)
async def catalogue() -> dict[str, str]:  # looks like ASYNC-1-202
    task = render_catalogue.apply_async(countdown=config.poll_pause)
    return {"task": task.id, "state": "queued"}


@router.get("/jobs/{job_id}")
async def job_state(job_id: int, session: AsyncSession = Depends(get_session)):
    job = await session.get(Job, job_id)
    return {"id": job_id, "state": job.status}  # looks like ASYNC-1-202: a read of the state


async def _settle(session: AsyncSession, job_id: int) -> Job:
    job = await session.get(Job, job_id)
    turns = 0
    while job.status == "RUNNING" and turns < config.poll_times:
        turns += 1
        await asyncio.sleep(config.poll_pause)  #! ASYNC-X1
        await session.refresh(job)
    return job


@router.get("/jobs/{job_id}/result")
async def job_result(job_id: int, session: AsyncSession = Depends(get_session)):
    job = await _settle(session, job_id)
    return {"id": job.id, "file": job.result}


@router.get("/files/{name}")
def file_when_there(name: str):
    for turn in range(config.poll_times):
        if (path := config.exports / name).exists():
            return {"path": str(path), "turn": turn}
        time.sleep(config.poll_pause)  #! ASYNC-X1
    return JSONResponse({"detail": "not there yet"}, status_code=404)


@router.get("/yield")
async def let_others_run():
    await asyncio.sleep(0)  # looks like ASYNC-X1: no loop, no time
    return {"state": "ok"}
