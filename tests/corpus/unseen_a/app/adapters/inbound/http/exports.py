"""Exports run on workers; this module only files them."""
from datetime import date
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, status
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.infrastructure.database import get_session
from app.models import ExportTask

Session = Annotated[AsyncSession, Depends(get_session)]
router = APIRouter(prefix="/exports")


class ExportRequest(BaseModel):
    since: date
    until: date
    kind: str = "orders"


class ExportAccepted(BaseModel):
    task_id: UUID
    status: str


@router.post("/", response_model=ExportAccepted, status_code=200)
async def create_export(body: ExportRequest, session: Session) -> ExportAccepted:  #! ASYNC-1-202
    task = ExportTask(kind=body.kind, since=body.since, until=body.until, status="PENDING")
    session.add(task)
    await session.commit()
    return ExportAccepted(task_id=task.id, status="PENDING")


@router.post("/full", status_code=status.HTTP_200_OK)
async def create_full_export(session: Session) -> dict[str, str]:  #! ASYNC-1-202
    task = ExportTask(kind="full", status="PENDING")
    session.add(task)
    await session.commit()
    return {"task_id": str(task.id), "status": "accepted"}


@router.post("/daily", response_model=ExportAccepted, status_code=202)
async def create_daily_export(body: ExportRequest, session: Session) -> ExportAccepted:
    task = ExportTask(kind="daily", since=body.since, until=body.until, status="PENDING")
    session.add(task)
    await session.commit()
    return ExportAccepted(task_id=task.id, status="PENDING")


@router.get("/{task_id}")
async def read_export(task_id: UUID, session: Session) -> dict[str, str]:
    task = await session.get(ExportTask, task_id)
    return {"task_id": str(task_id), "status": task.status}


@router.delete("/{task_id}", status_code=status.HTTP_204_NO_CONTENT)
async def drop_export(task_id: UUID, session: Session) -> None:
    task = await session.get(ExportTask, task_id)
    await session.delete(task)
    await session.commit()
