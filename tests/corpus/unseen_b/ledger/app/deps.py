"""Dependencies and the life of the application."""
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from fastapi import FastAPI, Request
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from ledger.adapters.audit.writer import AuditWriter
from ledger.adapters.bank.statements import BankAdapter
from ledger.core.settings import S, Resilience


def _client(url: str, conf: Resilience) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=url, timeout=conf.timeout, limits=conf.limits)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with _client(S.bank_url, S.bank) as bank_http, _client(S.fraud_url, S.fraud) as fraud_http:
        async with _client(S.audit_url, S.audit) as audit_http:
            app.state.bank = BankAdapter(bank_http)
            app.state.fraud_http = fraud_http
            app.state.audit = AuditWriter(audit_http)
            app.state.audit_http = audit_http
            yield


def bank(request: Request) -> BankAdapter:
    return request.app.state.bank


async def session(request: Request) -> AsyncIterator[AsyncSession]:
    maker: async_sessionmaker[AsyncSession] = request.app.state.sessions
    async with maker() as opened:
        yield opened
