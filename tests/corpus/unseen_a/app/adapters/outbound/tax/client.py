"""Tax office. Written after the style guide."""
from __future__ import annotations

import asyncio
import logging
from decimal import Decimal
from uuid import UUID, uuid4

import httpx
from aiobreaker import CircuitBreaker, CircuitBreakerError
from tenacity import (
    AsyncRetrying,
    before_sleep_log,
    retry_if_exception,
    stop_after_attempt,
    wait_exponential_jitter,
)

from app.core.config import SystemSettings
from app.core.http import limits_for, timeout_for
from app.domain.payments import Money, RatesUnavailable

log = logging.getLogger(__name__)


def _is_transient(exc: BaseException) -> bool:
    if isinstance(exc, httpx.HTTPStatusError):
        return exc.response.status_code >= 500
    return isinstance(exc, (httpx.ConnectError, httpx.TimeoutException))


class TaxClient:
    def __init__(self, cfg: SystemSettings, http: httpx.AsyncClient | None = None) -> None:
        self._cfg = cfg
        self._http = http or httpx.AsyncClient(
            base_url=cfg.base_url,
            timeout=timeout_for(cfg),
            limits=limits_for(cfg),
        )
        self._breaker = CircuitBreaker(
            fail_max=cfg.breaker_failures,
            timeout_duration=cfg.breaker_open,
            name="tax",
        )
        self._bulkhead = asyncio.Semaphore(cfg.max_concurrent)

    def _retrying(self) -> AsyncRetrying:
        return AsyncRetrying(
            stop=stop_after_attempt(self._cfg.retry_attempts),
            wait=wait_exponential_jitter(initial=self._cfg.retry_initial, max=self._cfg.retry_max),
            retry=retry_if_exception(_is_transient),
            before_sleep=before_sleep_log(log, logging.WARNING),
            reraise=True,
        )

    async def rate(self, country: str) -> Decimal:
        async for attempt in self._retrying():
            with attempt:
                async with asyncio.timeout(self._cfg.total_timeout):
                    async with self._bulkhead:
                        response = await self._breaker.call_async(self._http.get, f"/rates/{country}")
        response.raise_for_status()
        return Decimal(response.json()["rate"])

    async def declare(self, order_id: UUID, amount: Money) -> str:
        key = str(uuid4())
        async for attempt in self._retrying():
            with attempt:
                async with asyncio.timeout(self._cfg.total_timeout):
                    response = await self._http.post(
                        "/declarations",
                        json={"order": str(order_id), "amount": str(amount.amount)},
                        headers={"Idempotency-Key": key},
                    )
                response.raise_for_status()
        return response.json()["id"]

    async def void(self, declaration: str) -> None:
        async with asyncio.timeout(self._cfg.total_timeout):
            response = await self._http.post(f"/declarations/{declaration}/void")
        response.raise_for_status()

    async def amount_due(self, period: str) -> Money:
        try:
            async with asyncio.timeout(self._cfg.total_timeout):
                response = await self._breaker.call_async(self._http.get, f"/periods/{period}")
        except (CircuitBreakerError, TimeoutError) as exc:
            raise RatesUnavailable(period) from exc
        if response.json()["nothing_due"]:
            return Money.zero()
        return Money(Decimal(response.json()["due"]))

    async def jitter_pause(self) -> None:
        await asyncio.sleep(self._cfg.retry_initial)
