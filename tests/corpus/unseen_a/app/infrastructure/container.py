"""Composition root: who gets which client."""
from __future__ import annotations

from dataclasses import dataclass

import httpx
from fastapi import Request

from app.adapters.outbound.acquiring.client import AcquiringClient
from app.adapters.outbound.courier.adapter import CourierAdapter
from app.adapters.outbound.notify.sender import NotifySender
from app.adapters.outbound.rates.service import RatesService
from app.adapters.outbound.scoring.gateway import ScoringGateway
from app.core.config import settings
from app.core.http import build_client, limits_for, timeout_for
from app.repositories.payments import PaymentRepository


@dataclass
class Adapters:
    acquiring: AcquiringClient
    courier: CourierAdapter
    rates: RatesService
    notify: NotifySender
    scoring: ScoringGateway


def build_adapters() -> Adapters:
    shared = build_client(settings.courier)
    rates_http = build_client(settings.rates)
    return Adapters(
        acquiring=AcquiringClient(build_client(settings.acquiring)),
        courier=CourierAdapter(shared),
        rates=RatesService(rates_http, cache={}),
        notify=NotifySender(shared),  #! ISO-X1
        scoring=ScoringGateway(build_client(settings.scoring)),
    )


def build_pair() -> tuple[CourierAdapter, ScoringGateway]:
    http = httpx.AsyncClient(timeout=timeout_for(settings.courier), limits=limits_for(settings.courier))
    return CourierAdapter(http), ScoringGateway(http)  #! ISO-X1


async def get_acquiring(request: Request) -> AcquiringClient:
    return request.app.state.adapters.acquiring


async def get_notify(request: Request) -> NotifySender:
    return request.app.state.adapters.notify


async def get_courier_http(request: Request) -> httpx.AsyncClient:
    return request.app.state.courier_http


async def get_scoring_http(request: Request) -> httpx.AsyncClient:
    return request.app.state.scoring_http


async def get_rates_http(request: Request) -> httpx.AsyncClient:
    return request.app.state.rates_http


async def get_repo(request: Request) -> PaymentRepository:
    return PaymentRepository(request.state.session)


async def get_payments(request: Request):
    return request.app.state.pay_order
