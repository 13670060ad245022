"""Adapter for the acquiring bank."""
from __future__ import annotations

import asyncio
from decimal import Decimal
from uuid import UUID

import httpx
from tenacity import AsyncRetrying, retry, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from app.core.config import settings
from app.domain.payments import Payment, PaymentStatus

TRANSIENT = (httpx.ConnectError, httpx.ReadTimeout)
cfg = settings.acquiring


class AcquiringClient:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def get_payment(self, payment_id: UUID) -> Payment:
        response = await self._http.get(f"/v1/payments/{payment_id}")  #! ASYNC-3
        response.raise_for_status()
        data = response.json()
        return Payment(id=payment_id, status=PaymentStatus(data["status"]), amount=Decimal(data["amount"]))

    async def list_refunds(self, payment_id: UUID, page: int = 1) -> list[str]:
        params = {"page": page, "payment": str(payment_id)}
        resp = await self._http.request("GET", "/v1/refunds", params=params)  #! ASYNC-3
        resp.raise_for_status()
        return [row["id"] for row in resp.json()["items"]]

    @retry(stop=stop_after_attempt(cfg.retry_attempts), wait=wait_random_exponential(max=cfg.retry_max), retry=retry_if_exception_type(TRANSIENT))
    async def authorize(self, order_id: UUID, amount: Decimal, card_token: str) -> str:
        body = {"order": str(order_id), "amount": str(amount), "token": card_token}
        async with asyncio.timeout(cfg.total_timeout):
            response = await self._http.post("/v1/payments", json=body)  #! RE-X1
        response.raise_for_status()
        return response.json()["id"]

    async def refund(self, payment_id: UUID, amount: Decimal) -> None:
        policy = AsyncRetrying(
            stop=stop_after_attempt(cfg.retry_attempts),
            wait=wait_random_exponential(max=cfg.retry_max),
            retry=retry_if_exception_type(TRANSIENT),
            reraise=True,
        )
        async for attempt in policy:
            with attempt:
                async with asyncio.timeout(cfg.total_timeout):
                    response = await self._http.post(f"/v1/payments/{payment_id}/refunds", json={"amount": str(amount)})  #! RE-X1
                    response.raise_for_status()

    @retry(stop=stop_after_attempt(cfg.retry_attempts), wait=wait_random_exponential(max=cfg.retry_max), retry=retry_if_exception_type(TRANSIENT))
    async def capture(self, payment_id: UUID, amount: Decimal, request_id: UUID) -> None:
        headers = {"Idempotency-Key": str(request_id)}
        async with asyncio.timeout(cfg.total_timeout):
            response = await self._http.post(
                f"/v1/payments/{payment_id}/capture",
                json={"amount": str(amount)},
                headers=headers,
            )
        response.raise_for_status()
