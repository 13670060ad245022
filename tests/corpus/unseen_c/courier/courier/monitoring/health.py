import asyncio
from abc import ABC, abstractmethod

import httpx

from courier.config import SystemConfig


class HealthCheck(ABC):
    def __init__(self, http: httpx.AsyncClient, config: SystemConfig) -> None:
        self._http = http
        self._config = config
        self.last: bool | None = None

    @abstractmethod
    async def probe(self) -> bool: ...


class CarrierHealth(HealthCheck):
    async def probe(self) -> bool:
        async with asyncio.timeout(self._config.total_timeout):
            response = await self._http.post("/labels", json={"to": "nowhere", "test": True})  #! HC-X2
        return response.status_code == 201


class CustomsHealth(HealthCheck):
    async def probe(self) -> bool:
        async with asyncio.timeout(self._config.total_timeout):
            response = await self._http.get("/ping", headers={"X-Purpose": "post-deploy"})  # looks like HC-X2
        return response.status_code == 204


class MapsHealth(HealthCheck):
    async def probe(self) -> bool:
        async with asyncio.timeout(self._config.total_timeout):
            response = await self._http.request("OPTIONS", "/geocode")  # looks like HC-X2
        self.last = response.is_success
        return self.last


class Liveness:
    def __init__(self, checks: list[HealthCheck]) -> None:
        self._checks = checks

    def alive(self) -> bool:
        return True  # looks like FB-X2: nothing was called

    def ready(self) -> dict[str, bool]:
        return {type(check).__name__: bool(check.last) for check in self._checks}  # looks like HC-X2: what was seen last
