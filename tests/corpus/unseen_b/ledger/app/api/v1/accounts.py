"""Accounts of the ledger."""
import asyncio
from decimal import Decimal
from typing import Annotated
from uuid import UUID, uuid4

from fastapi import APIRouter, Depends, Header, HTTPException, Request, status
from pydantic import BaseModel, ConfigDict
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from ledger.adapters.bank.statements import BankAdapter, BankRefused
from ledger.app.deps import bank, session
from ledger.core.settings import S
from ledger.models import Entry, TransferTask

router = APIRouter(prefix="/accounts")
Db = Annotated[AsyncSession, Depends(session)]


class TransferDto(BaseModel):
    """Our own DTO of our own API."""

    model_config = ConfigDict(extra="forbid")
    iban: str
    cents: int


class BalanceDto(BaseModel):
    account: UUID
    amount: Decimal


@router.get("/{account}/balance")
async def balance(account: UUID, db: Db) -> BalanceDto:
    total = await db.scalar(select(func.sum(Entry.amount)).where(Entry.account == account))
    return BalanceDto(account=account, amount=total or Decimal("0"))


@router.post("/{account}/transfers", status_code=status.HTTP_202_ACCEPTED)
async def transfer(account: UUID, body: TransferDto, db: Db, key: Annotated[str | None, Header()] = None) -> dict[str, str]:
    task = TransferTask(id=uuid4(), account=account, iban=body.iban, cents=body.cents, key=key, status="PENDING")
    db.add(task)
    await db.commit()
    return {"task": str(task.id), "status": "queued"}


@router.post("/{account}/close")
async def close(account: UUID, db: Db) -> dict[str, str]:
    entries = await db.scalar(select(func.count()).where(Entry.account == account, Entry.status == "PENDING"))
    if entries:
        raise HTTPException(status.HTTP_409_CONFLICT, "entries pending")
    return {"status": "closed"}


@router.get("/{account}/pending")
async def pending(account: UUID, db: Db, offset: int = 0, limit: int = 20) -> list[str]:
    stmt = select(TransferTask.id).where(TransferTask.account == account, TransferTask.status == "PENDING")
    return [str(i) for i in await db.scalars(stmt.offset(offset).limit(limit))]


@router.get("/{account}/holidays")
async def holidays(account: UUID, adapter: Annotated[BankAdapter, Depends(bank)]) -> list[str]:
    try:
        return await adapter.holidays()
    except BankRefused as exc:
        raise HTTPException(status.HTTP_503_SERVICE_UNAVAILABLE, headers={"Retry-After": f"{S.bank.open_seconds:.0f}"}) from exc


@router.get("/{account}/stream")
async def announced(account: UUID, request: Request) -> dict[str, bool]:
    condition: asyncio.Condition = request.app.state.changes
    async with condition:
        changed = account in request.app.state.changed
        condition.notify_all()
    return {"changed": changed}
