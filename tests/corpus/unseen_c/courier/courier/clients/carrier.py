from __future__ import annotations

import asyncio
import random

import httpx
from aiobreaker import CircuitBreaker

from courier.config import CarrierConfig, CustomsConfig


class CarrierUnavailable(Exception):
    pass


class CarrierClient:
    def __init__(self, config: CarrierConfig, breaker: CircuitBreaker, http: httpx.AsyncClient | None = None) -> None:
        self._config = config
        self._breaker = breaker
        self._http = http or httpx.AsyncClient(base_url=config.base_url, headers={"Accept": "application/json"})  #! ISO-X2

    @classmethod
    def isolated(cls, config: CarrierConfig, breaker: CircuitBreaker) -> CarrierClient:
        transport = httpx.AsyncHTTPTransport(limits=config.limits, retries=config.max_attempts)  #! RE-X4
        return cls(config, breaker, httpx.AsyncClient(transport=transport, timeout=config.timeout, limits=config.limits))

    async def status(self, parcel_id: str) -> str:
        async with asyncio.timeout(self._config.total_timeout):
            response = await self._breaker.call_async(self._http.get, f"/parcels/{parcel_id}")
        return response.json()["status"]

    async def label(self, parcel_id: str) -> bytes:
        for _ in range(6):
            async with asyncio.timeout(self._config.total_timeout):
                response = await self._http.get(f"/parcels/{parcel_id}/label")
            if response.status_code == 200:
                return response.content
            await asyncio.sleep(0.5)  #! ASYNC-2
        raise CarrierUnavailable(parcel_id)

    async def manifest(self, day: str) -> bytes:
        async with asyncio.timeout(self._config.total_timeout):
            await self._http.post("/manifests", json={"day": day}, headers={"Idempotency-Key": f"manifest-{day}"})
        await asyncio.sleep(8)  #! ASYNC-2 ASYNC-X2
        async with asyncio.timeout(self._config.total_timeout):
            response = await self._http.get(f"/manifests/{day}")
        return response.content

    async def announce(self, parcels: list[dict[str, str]]) -> None:
        attempt = 0
        while attempt < self._config.max_attempts:
            attempt += 1
            try:
                async with asyncio.timeout(self._config.total_timeout):
                    response = await self._http.post("/announcements", json=parcels)  #! RE-X1
                response.raise_for_status()
                return
            except (httpx.ConnectError, httpx.ReadTimeout):
                await asyncio.sleep(random.uniform(0, min(self._config.backoff_max, self._config.backoff_initial * 2**attempt)))
        raise CarrierUnavailable("announcements")

    async def services(self) -> list[str]:
        for _attempt in range(self._config.max_attempts):  #! RE-X3
            try:
                async with asyncio.timeout(self._config.total_timeout):
                    response = await self._http.get("/services")
                return list(response.json())
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        raise CarrierUnavailable("services")

    async def products(self) -> list[str]:
        for attempt in range(self._config.max_attempts):  # looks like RE-X2 and RE-X3: transient, exponential, with jitter
            try:
                async with asyncio.timeout(self._config.total_timeout):
                    response = await self._http.get("/products")
                return list(response.json())
            except (httpx.ConnectError, httpx.ConnectTimeout):
                await asyncio.sleep(random.uniform(0, min(self._config.backoff_max, self._config.backoff_initial * 2**attempt)))
        raise CarrierUnavailable("products")


class CrossBorderClient:
    """Talks to the carrier and to the customs office."""

    def __init__(self, carrier: CarrierConfig, customs: CustomsConfig, http: httpx.AsyncClient) -> None:
        self._carrier = carrier
        self._customs = customs
        self._http = http

    async def documents(self, parcel_id: str) -> tuple[bytes, bytes]:
        async with asyncio.timeout(self._carrier.total_timeout):
            invoice = await self._http.get(f"{self._carrier.base_url}/parcels/{parcel_id}/invoice")
        async with asyncio.timeout(self._customs.total_timeout):
            form = await self._http.get(f"{self._customs.base_url}/forms/{parcel_id}")  #! ISO-X1
        return invoice.content, form.content
