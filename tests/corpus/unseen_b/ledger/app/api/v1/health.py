"""/health, /ready"""
import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated

import httpx
from cachetools import TTLCache
from fastapi import APIRouter, Depends, Request

from ledger.adapters.bank.statements import BankAdapter
from ledger.core.settings import S

router = APIRouter(tags=["health"])
results: TTLCache[str, bool] = TTLCache(maxsize=16, ttl=S.probe_every)
locks: dict[str, asyncio.Lock] = {}


def bank(request: Request) -> BankAdapter:
    return request.app.state.bank


def fraud_http(request: Request) -> httpx.AsyncClient:
    return request.app.state.fraud_http


def audit_http(request: Request) -> httpx.AsyncClient:
    return request.app.state.audit_http


Bank = Annotated[BankAdapter, Depends(bank)]
FraudHttp = Annotated[httpx.AsyncClient, Depends(fraud_http)]
AuditHttp = Annotated[httpx.AsyncClient, Depends(audit_http)]


async def once(name: str, probe: Callable[[], Awaitable[bool]]) -> bool:
    async with locks.setdefault(name, asyncio.Lock()):
        if name not in results:
            results[name] = await probe()
        return results[name]


@router.get("/ready/bank")
async def bank_ready(adapter: Bank) -> dict[str, bool]:
    async def probe() -> bool:
        moved = await adapter.transfer("DE00", cents=1, key="readiness")  #! HC-X2
        return moved.state == "completed"

    return {"bank": await once("bank", probe)}


@router.get("/ready/fraud")
async def fraud_ready(http: FraudHttp) -> dict[str, bool]:
    async def probe() -> bool:
        async with asyncio.timeout(S.fraud.total):
            reply = await http.put("/payments/probe", json={"cents": 1})  #! HC-X2
        return reply.is_success

    return {"fraud": await once("fraud", probe)}


@router.get("/ready/audit")
async def audit_ready(http: AuditHttp) -> dict[str, bool]:
    async def probe() -> bool:
        async with asyncio.timeout(S.audit.total):
            reply = await http.request("DELETE", "/entries/probe")  #! HC-X2
        return reply.status_code < 500

    return {"audit": await once("audit", probe)}


async def check_bank(adapter: BankAdapter) -> bool:
    confirmed, _ = await asyncio.gather(adapter.confirm("health"), adapter.cancel("health"))  #! HC-X2
    return confirmed


async def check_fraud(http: httpx.AsyncClient) -> bool:
    async with asyncio.timeout(S.fraud.total):
        return (await http.head("/")).status_code < 500


async def check_audit(http: httpx.AsyncClient) -> bool:
    async with asyncio.timeout(S.audit.total):
        return (await http.get("/actuator/health")).is_success


@router.get("/health")
async def health() -> dict[str, str]:
    return {"status": "up"}


@router.get("/version")
async def version(request: Request) -> dict[str, str]:
    return {"version": request.app.version}
