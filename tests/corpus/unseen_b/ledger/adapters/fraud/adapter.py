"""Fraud adapter. All of its protection comes from one place."""
import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Self, TypeVar
from uuid import UUID

import httpx
import structlog
import tenacity as t
from aiobreaker import CircuitBreaker, CircuitBreakerError

from ledger.core.constants import FRAUD
from ledger.core.settings import S, Resilience

T = TypeVar("T")
log = structlog.get_logger(system=FRAUD)


class FraudUnavailable(Exception):
    """The fraud system cannot be asked."""


class FraudAdapter:
    def __init__(self, conf: Resilience = S.fraud, url: str = S.fraud_url) -> None:
        self._conf = conf
        self._http = httpx.AsyncClient(base_url=url, timeout=conf.timeout, limits=conf.limits)
        self._breaker = CircuitBreaker(conf.failures, timedelta(seconds=conf.open_seconds), name=FRAUD)
        self._slots = asyncio.Semaphore(conf.concurrency)

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self._http.__aexit__(*exc_info)

    async def _guard(self, call: Callable[[], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(self._conf.total):
                async with self._slots:
                    return await self._breaker.call_async(call)
        except (CircuitBreakerError, TimeoutError, httpx.TransportError) as exc:
            raise FraudUnavailable(str(exc)) from exc

    async def clean(self, payment: UUID) -> bool:
        reply = await self._guard(lambda: self._http.get(f"/payments/{payment}"))
        return reply.json()["clean"]

    async def report(self, payment: UUID, reason: str) -> None:
        async def call() -> httpx.Response:
            return await self._http.post("/reports", json={"payment": str(payment), "reason": reason})

        (await self._guard(call)).raise_for_status()

    async def block(self, card: str, key: UUID) -> bool:
        headers = {"X-Team": "ledger"}
        headers["Idempotency-Key"] = str(key)
        policy = t.AsyncRetrying(
            stop=t.stop_after_attempt(self._conf.attempts),
            wait=t.wait_random_exponential(multiplier=self._conf.first_wait, max=self._conf.longest_wait),
            retry=t.retry_if_exception_type(httpx.ConnectError),
            reraise=True,
        )
        async for attempt in policy:
            with attempt:
                async with asyncio.timeout(self._conf.total):
                    reply = await self._http.post("/blocks", json={"card": card}, headers=headers)
        log.info("blocked", card=card[-4:])
        return reply.is_success

    async def rules(self) -> list[str]:
        last: Exception | None = None
        for attempt in range(self._conf.attempts):
            try:
                async with asyncio.timeout(self._conf.total):
                    return (await self._http.get("/rules")).json()
            except httpx.ConnectError as exc:
                last = exc
                await asyncio.sleep(min(self._conf.first_wait * 2**attempt, self._conf.longest_wait))
        raise FraudUnavailable("rules") from last
