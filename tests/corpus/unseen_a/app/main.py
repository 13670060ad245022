"""Application factory."""
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from fastapi import FastAPI

from app.adapters.inbound.http import exports, health, payments
from app.adapters.outbound.notify.sender import NotifySender
from app.adapters.outbound.rates.service import RatesService
from app.adapters.outbound.scoring.gateway import ScoringGateway
from app.core.config import settings
from app.core.http import build_client, limits_for, timeout_for
from app.infrastructure.container import build_adapters


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.adapters = build_adapters()
    app.state.courier_http = build_client(settings.courier)
    app.state.scoring_http = build_client(settings.scoring)
    app.state.rates_http = build_client(settings.rates)
    async with httpx.AsyncClient(timeout=timeout_for(settings.notify), limits=limits_for(settings.notify)) as outbound:
        app.state.mailer = NotifySender(outbound)
        app.state.quotes = RatesService(outbound, cache={})  #! ISO-X1
        yield
    await app.state.courier_http.aclose()
    await app.state.scoring_http.aclose()
    await app.state.rates_http.aclose()


@asynccontextmanager
async def worker_lifespan(app: FastAPI) -> AsyncIterator[None]:
    common = build_client(settings.rates)
    scoring, rates = ScoringGateway(http=common), RatesService(http=common, cache={})  #! ISO-X1
    app.state.scoring, app.state.rates = scoring, rates
    yield
    await common.aclose()


def create_app() -> FastAPI:
    app = FastAPI(title="orders", lifespan=lifespan)
    app.include_router(payments.router)
    app.include_router(exports.router)
    app.include_router(health.router)
    return app


app = create_app()
