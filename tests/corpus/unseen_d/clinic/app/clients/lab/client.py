from __future__ import annotations

import asyncio
import random

import httpx
from tenacity import retry, retry_if_exception_type, retry_if_not_exception_type, wait_fixed

from app.clients.lab.schemas import LabOrderDto, LabResultDto
from app.core.config import settings
from app.core.resilience import growing, lab_breaker, lab_gate, lab_stop, transient
from app.services.results import Result

on_connect = retry_if_exception_type(httpx.ConnectError)


class LabClient:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    @lab_breaker  # looks like WHERE-X1
    async def result(self, sample: str) -> Result:
        async with asyncio.timeout(settings.LAB_TOTAL), lab_gate:
            r = await self.http.get(f"/results/{sample}")
        dto = LabResultDto(**r.json())
        return Result(sample=dto.sample, ready=dto.finished)  # looks like OAS-X3

    async def raw_result(self, sample: str) -> LabResultDto | None:  #! OAS-X3
        async with asyncio.timeout(settings.LAB_TOTAL):
            r = await self.http.get(f"/results/{sample}")
        if r.status_code == 404:
            return None
        return LabResultDto(**r.json())

    @retry(wait=growing, retry=transient, stop=lab_stop)  # looks like RE-X2
    async def panels(self) -> list[str]:
        async with asyncio.timeout(settings.LAB_TOTAL):
            r = await self.http.get("/panels")
        return r.json()

    @retry(retry=on_connect, stop=lab_stop, wait=wait_fixed(settings.LAB_TOTAL))  #! RE-X3
    async def opening_hours(self) -> dict:
        async with asyncio.timeout(settings.LAB_TOTAL):
            r = await self.http.get("/hours")
        return r.json()

    @retry(wait=growing, retry=retry_if_not_exception_type(KeyError), stop=lab_stop)  #! RE-X2
    async def courier_slots(self) -> list[dict]:
        async with asyncio.timeout(settings.LAB_TOTAL):
            r = await self.http.get("/slots")
        r.raise_for_status()
        return r.json()

    @retry(wait=growing, retry=transient, stop=lab_stop)
    async def order(self, sample: str, panel: str) -> None:
        body = LabOrderDto(sample=sample, panel=panel).model_dump()
        headers = {"X-Request-Source": "clinic"}
        async with asyncio.timeout(settings.LAB_TOTAL):
            await self.http.post("/orders", json=body, headers=headers)  #! RE-X1

    @retry(wait=growing, retry=transient, stop=lab_stop)
    async def order_keyed(self, sample: str, panel: str, key: str) -> None:
        body = LabOrderDto(sample=sample, panel=panel).model_dump()
        headers = {"X-Request-Source": "clinic"}
        headers["Idempotency-Key"] = key
        async with asyncio.timeout(settings.LAB_TOTAL):
            await self.http.post("/orders", json=body, headers=headers)  # looks like RE-X1

    async def prices(self) -> dict:
        for _ in range(settings.LAB_ATTEMPTS):  #! RE-X3
            try:
                async with asyncio.timeout(settings.LAB_TOTAL):
                    r = await self.http.get("/prices")
                return r.json()
            except httpx.ConnectError:
                continue
        raise ConnectionError("lab")

    async def reagents(self) -> list:
        async with asyncio.timeout(settings.LAB_TOTAL):
            pages = [await self.http.get("/reagents", params={"page": n}) for n in range(3)]  # looks like RE-X3
        return [p.json() for p in pages]

    async def courier_arrival(self, sample: str) -> bool:
        await asyncio.sleep(random.random())  # looks like ASYNC-2
        async with asyncio.timeout(settings.LAB_TOTAL):
            r = await self.http.get(f"/arrivals/{sample}")
        return r.json()["arrived"]

    async def arrival_after_scan(self, sample: str) -> bool:
        scanner_delay = 2 + 0.5
        await asyncio.sleep(scanner_delay)  #! ASYNC-2
        return await self.courier_arrival(sample)
