"""Imports of price lists: class based, with Celery behind."""
from typing import Any

from celery import Celery
from fastapi import APIRouter, Depends, Response, UploadFile, status
from pydantic import BaseModel, Field

from shop.use_cases.import_prices import ImportPrices, get_import_prices

celery = Celery("shop")
router = APIRouter(prefix="/imports")


class Queued(BaseModel):
    task_id: str
    state: str = Field(default="queued")


@celery.task(name="imports.run", acks_late=True)
def run_import(path: str) -> int:
    with open(path, encoding="utf-8") as handle:
        return sum(1 for _ in handle)


class ImportViews:
    def __init__(self, prefix: str) -> None:
        self.router = APIRouter(prefix=prefix)
        self.router.get("/{task_id}")(self.state)

    async def state(self, task_id: str) -> Queued:
        result = celery.AsyncResult(task_id)
        return Queued(task_id=task_id, state="queued" if result.state == "PENDING" else result.state)


@router.post("/run", response_model=Queued)
def start_import(path: str) -> Queued:  #! ASYNC-1-202
    result = run_import.delay(path)
    return Queued(task_id=result.id)


@router.post("/check")
async def check_import(file: UploadFile, use_case: ImportPrices = Depends(get_import_prices)) -> dict[str, Any]:
    return {"rows": await use_case.check((await file.read()).decode())}


@router.post("/again", response_model=Queued, status_code=status.HTTP_202_ACCEPTED)
def start_again(path: str) -> Queued:
    return Queued(task_id=run_import.apply_async((path,)).id)


@router.post("/quiet")
def start_quietly(path: str, response: Response) -> Queued:
    response.status_code = 202
    return Queued(task_id=run_import.delay(path).id)


@router.get("/{task_id}", response_model=Queued)
def import_state(task_id: str) -> Queued:
    return Queued(task_id=task_id, state=celery.AsyncResult(task_id).state)
