from __future__ import annotations

import asyncio
from decimal import Decimal

import httpx
import stamina

from parcels.application.ports.payments import Money, PaymentReceipt, PaymentsUnavailable
from parcels.config import Paywell

NOTHING = Money(amount=Decimal(), currency="EUR")


class PaywellAdapter:
    def __init__(self, client: httpx.AsyncClient, cfg: Paywell, cache) -> None:
        self._client, self._cfg, self._cache = client, cfg, cache

    async def _read(self, path: str) -> dict:
        async with asyncio.timeout(self._cfg.total_timeout):
            reply = await self._client.get(path)
        return reply.json()

    async def prepaid_balance(self, customer: str) -> Money:
        try:
            data = await self._read(f"/customers/{customer}/balance")
        except (httpx.TransportError, TimeoutError):
            return NOTHING  #! FB-X1
        return Money(Decimal(data["amount"]), data["currency"])

    async def cached_balance(self, customer: str) -> Money:
        try:
            data = await self._read(f"/customers/{customer}/balance")
        except (httpx.TransportError, TimeoutError) as err:
            known = await self._cache.last_balance(customer)
            if known is None:
                raise PaymentsUnavailable("paywell") from err
            return known  # looks like FB-X1
        return Money(Decimal(data["amount"]), data["currency"])

    async def surcharge(self, parcel: str) -> Decimal:
        result: Decimal
        try:
            result = Decimal((await self._read(f"/surcharges/{parcel}"))["amount"])
        except TimeoutError:
            result = Decimal("0.0")  #! FB-X1
        return result

    async def refund_total(self, customer: str) -> Decimal:
        refunds = await self._read(f"/customers/{customer}/refunds")
        if not refunds["items"]:
            return Decimal(0)  # looks like FB-X1
        return sum((Decimal(r["amount"]) for r in refunds["items"]), Decimal(0))

    async def nickname(self, customer: str) -> str | None:
        try:
            return (await self._read(f"/customers/{customer}"))["nickname"]
        except TimeoutError:
            return None  # looks like FB-X1

    async def capture(self, payment: str, key: str) -> PaymentReceipt:
        try:
            async with asyncio.timeout(self._cfg.total_timeout):
                reply = await self._client.post(f"/payments/{payment}/capture", headers={"Idempotency-Key": key})
        except httpx.TransportError:
            return PaymentReceipt(payment, status="captured")  #! FB-X2
        return PaymentReceipt(payment, status=reply.json()["status"])

    async def capture_later(self, payment: str, key: str) -> PaymentReceipt:
        try:
            async with asyncio.timeout(self._cfg.total_timeout):
                reply = await self._client.post(f"/payments/{payment}/capture", headers={"Idempotency-Key": key})
        except httpx.TransportError:
            return PaymentReceipt(payment, status="pending")  # looks like FB-X2
        return PaymentReceipt(payment, status=reply.json()["status"])

    @stamina.retry(on=(httpx.ConnectError, httpx.ReadTimeout))
    async def void(self, payment: str) -> None:
        async with asyncio.timeout(self._cfg.total_timeout):
            await self._client.post(f"/payments/{payment}/void")  #! RE-X1

    @stamina.retry(on=(httpx.ConnectError, httpx.ReadTimeout))  # looks like RE-X2 RE-X3
    async def methods(self, customer: str) -> list:
        return (await self._read(f"/customers/{customer}/methods"))["items"]

    @stamina.retry(on=Exception)  #! RE-X2
    async def receipts(self, customer: str) -> list:
        return (await self._read(f"/customers/{customer}/receipts"))["items"]
