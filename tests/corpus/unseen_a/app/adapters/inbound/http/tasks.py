"""State of long running work; nothing here waits."""
from __future__ import annotations

from http import HTTPStatus
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import JSONResponse
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.infrastructure.database import get_session
from app.models import ExportTask

router = APIRouter(prefix="/tasks")
Session = Annotated[AsyncSession, Depends(get_session)]


@router.get("")
async def list_pending(session: Session, limit: int = 50) -> list[dict[str, str]]:
    """A list for the operators; nobody works on these rows."""
    stmt = select(ExportTask.id, ExportTask.kind).where(ExportTask.status == "PENDING").order_by(ExportTask.id).limit(limit)
    return [{"id": str(row.id), "kind": row.kind} for row in await session.execute(stmt)]


@router.get("/count")
async def count(session: Session) -> dict[str, int]:
    stmt = select(ExportTask.status, func.count()).group_by(ExportTask.status)
    return {row[0]: row[1] for row in await session.execute(stmt)}


@router.get("/{task_id}")
async def status_of(task_id: UUID, session: Session) -> dict[str, str]:
    task = await session.get(ExportTask, task_id)
    if task is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return {"status": "queued" if task.status == "PENDING" else task.status.lower()}


@router.post("/{task_id}/restart", status_code=HTTPStatus.ACCEPTED)
async def restart(task_id: UUID, session: Session) -> dict[str, str]:
    task = await session.get(ExportTask, task_id)
    task.status = "PENDING"
    await session.commit()
    return {"status": "queued"}


@router.post("/{task_id}/copies")
async def copy(task_id: UUID, session: Session) -> JSONResponse:
    task = ExportTask(kind="copy", status="PENDING", source=task_id)
    session.add(task)
    await session.commit()
    return JSONResponse({"task_id": str(task.id)}, status_code=HTTPStatus.ACCEPTED)


@router.post("/{task_id}/notes")
async def add_note(task_id: UUID, note: str, session: Session) -> dict[str, str]:
    task = await session.get(ExportTask, task_id)
    task.note = note
    await session.commit()
    return {"status": "saved"}
