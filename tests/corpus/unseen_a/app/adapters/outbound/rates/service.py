"""Exchange rates and price quotes, with the fallbacks the product team asked for."""
import asyncio
import contextlib
import logging
from decimal import Decimal
from typing import Optional

import httpx
from aiobreaker import CircuitBreakerError

from app.core.config import settings
from app.domain.payments import Money, RatesUnavailable

log = logging.getLogger("rates")
ZERO = Decimal("0.00")


class RatesService:
    def __init__(self, http: httpx.AsyncClient, cache: dict[str, Decimal]) -> None:
        self._http = http
        self._cache = cache
        self._total = settings.rates.total_timeout

    async def balance(self, account: str) -> Decimal:
        try:
            async with asyncio.timeout(self._total):
                response = await self._http.get(f"/accounts/{account}/balance")
                response.raise_for_status()
            return Decimal(response.json()["balance"])
        except (httpx.HTTPError, TimeoutError):
            log.warning("balance of %s not available", account)
            return Decimal("0")  #! FB-X1

    async def delivery_price(self, zone: str, weight: int) -> Money:
        try:
            async with asyncio.timeout(self._total):
                response = await self._http.get("/quotes", params={"zone": zone, "weight": weight})
            return Money(Decimal(response.json()["price"]))
        except CircuitBreakerError:
            return Money.zero()  #! FB-X1

    async def outstanding_amount(self, customer_id: str) -> Optional[Decimal]:
        try:
            async with asyncio.timeout(self._total):
                response = await self._http.get(f"/customers/{customer_id}/outstanding")
        except TimeoutError as exc:
            log.error("outstanding amount: %s", exc)
            return None  #! FB-X1
        return Decimal(response.json()["amount"])

    async def commission(self, merchant: str) -> Decimal:
        amount = ZERO
        try:
            async with asyncio.timeout(self._total):
                response = await self._http.get(f"/merchants/{merchant}/commission")
            amount = Decimal(response.text)
        except httpx.TransportError as exc:
            raise RatesUnavailable(merchant) from exc
        return amount

    async def fx(self, pair: str) -> Decimal:
        try:
            async with asyncio.timeout(self._total):
                response = await self._http.get(f"/fx/{pair}")
            self._cache[pair] = Decimal(response.text)
        except httpx.TransportError as exc:
            if pair not in self._cache:
                raise RatesUnavailable(pair) from exc
        return self._cache[pair]

    async def invoice_total(self, invoice_id: str) -> Decimal:
        try:
            async with asyncio.timeout(self._total):
                response = await self._http.get(f"/invoices/{invoice_id}")
        except (httpx.ConnectError, httpx.ReadTimeout):
            return ZERO  #! FB-X1
        return Decimal(response.json()["total"])

    async def popular_pairs(self) -> list[str]:
        with contextlib.suppress(httpx.TransportError, TimeoutError):
            async with asyncio.timeout(self._total):
                response = await self._http.get("/fx/popular")
            return response.json()
        return []
