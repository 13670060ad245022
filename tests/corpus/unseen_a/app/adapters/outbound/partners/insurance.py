"""Insurance for parcels: quotes, policies, claims."""
from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

import backoff
import httpx
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from app.core.config import SystemSettings, settings
from app.domain.payments import CourierUnavailable

log = logging.getLogger(__name__)


class InsuranceClient:
    def __init__(self, http: httpx.AsyncClient, cfg: SystemSettings) -> None:
        self._http = http
        self._cfg = cfg
        self._retrying = AsyncRetrying(
            stop=stop_after_attempt(cfg.retry_attempts),
            wait=wait_random_exponential(multiplier=cfg.retry_initial, max=cfg.retry_max),
            retry=retry_if_exception_type((httpx.ConnectError, httpx.ReadTimeout)),
            reraise=True,
        )

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        async with asyncio.timeout(self._cfg.total_timeout):
            response = await self._http.post(path, json=body)  #! RE-X1
            response.raise_for_status()
        return response.json()

    async def _read(self, path: str) -> dict[str, Any]:
        async with asyncio.timeout(self._cfg.total_timeout):
            response = await self._http.get(path)
            response.raise_for_status()
        return response.json()

    async def buy(self, parcel_id: str, value: str) -> str:
        policy = await self._retrying(self._post, "/policies", {"parcel": parcel_id, "value": value})
        return policy["id"]

    @backoff.on_exception(backoff.expo, httpx.ConnectError, max_tries=settings.courier.retry_attempts)
    async def claim(self, policy_id: str, reason: str) -> str:
        return (await self._post("/claims", {"policy": policy_id, "reason": reason}))["id"]

    async def quote(self, value: str) -> str:
        found = await self._retrying(self._read, f"/quotes?value={value}")
        return found["price"]

    async def conditions(self, country: str) -> dict[str, Any]:
        last: Exception | None = None
        for attempt in range(self._cfg.retry_attempts):
            try:
                return await self._read(f"/conditions/{country}")
            except httpx.ConnectError as exc:
                last = exc
                await asyncio.sleep(self._cfg.retry_initial)  #! RE-X3
        raise CourierUnavailable(country) from last

    async def withdraw(self, claim_id: str) -> dict[str, Any]:
        started = time.monotonic()
        try:
            return await self._post(f"/claims/{claim_id}/withdrawal", {})
        except httpx.HTTPStatusError as exc:
            log.warning("withdraw %s: %s", claim_id, exc)
            return {"status": "success", "claim": claim_id}  #! FB-X2
        finally:
            log.debug("withdraw took %.3f", time.monotonic() - started)

    async def claim_state(self, claim_id: str) -> str:
        try:
            return (await self._read(f"/claims/{claim_id}"))["state"]
        except httpx.TransportError:
            return "unknown"


class SanctionsClient:  #! CB-X2
    def __init__(self, http: httpx.AsyncClient, cfg: SystemSettings) -> None:
        self._http = http
        self._cfg = cfg
        self._consecutive_failures = 0
        self._open_until = 0.0

    async def listed(self, name: str) -> bool:
        if time.monotonic() < self._open_until:
            raise CourierUnavailable("sanctions")
        try:
            async with asyncio.timeout(self._cfg.total_timeout):
                response = await self._http.get("/listed", params={"name": name})
        except (httpx.TransportError, TimeoutError):
            self._consecutive_failures += 1
            if self._consecutive_failures >= self._cfg.breaker_failures:
                self._open_until = time.monotonic() + self._cfg.breaker_open_seconds
            raise
        self._consecutive_failures = 0
        return response.json()["listed"]
