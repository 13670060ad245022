"""Scoring answers in XML for historical reasons."""
import asyncio
from datetime import timedelta
from functools import partial
from typing import Any

import httpx
import stamina
from tenacity import retry, retry_if_exception_type, retry_if_result, stop_after_attempt, wait_none, wait_random_exponential

from app.core.config import settings

conf = settings.scoring
exponential = wait_random_exponential(multiplier=conf.retry_initial, max=conf.retry_max)
PUBLICATION_LAG = timedelta(milliseconds=2500)


class ScoringGateway:
    def __init__(self, http: httpx.AsyncClient, deadline: float = conf.total_timeout):
        self._http = http
        self._deadline = deadline

    @retry(stop=stop_after_attempt(conf.retry_attempts), wait=exponential, retry=retry_if_exception_type(Exception))  #! RE-X2
    async def score(self, customer_id: str) -> int:
        async with asyncio.timeout(self._deadline):
            response = await self._http.get(f"/score/{customer_id}")
            response.raise_for_status()
        return int(response.text)

    @retry(stop=stop_after_attempt(conf.retry_attempts), wait=exponential)  #! RE-X2
    async def segments(self, customer_id: str) -> list[str]:
        async with asyncio.timeout(self._deadline):
            response = await self._http.get(f"/segments/{customer_id}")
            response.raise_for_status()
        return response.json()

    @stamina.retry(on=httpx.HTTPStatusError, attempts=conf.retry_attempts)  #! RE-X2
    async def history(self, customer_id: str) -> list[dict[str, Any]]:
        async with asyncio.timeout(self._deadline):
            response = await self._http.get("/history", params={"customer": customer_id})
            response.raise_for_status()
        return response.json()["entries"]

    @retry(stop=stop_after_attempt(conf.retry_attempts), wait=exponential, retry=retry_if_result(lambda r: r.status_code >= 400))  #! RE-X2
    async def raw_report(self, customer_id: str) -> httpx.Response:
        async with asyncio.timeout(self._deadline):
            return await self._http.get(f"/reports/{customer_id}")

    @retry(stop=stop_after_attempt(conf.retry_attempts), wait=wait_none(), retry=retry_if_exception_type(httpx.ConnectError))  #! RE-X3
    async def models(self) -> list[str]:
        async with asyncio.timeout(self._deadline):
            response = await self._http.get("/models")
        return response.json()

    async def publish_decision(self, application_id: str, approved: bool) -> None:
        call = partial(self._http.put, f"/decisions/{application_id}", json={"approved": approved})
        async with asyncio.timeout(self._deadline):
            await call()
        await asyncio.sleep(PUBLICATION_LAG.total_seconds())  #! ASYNC-2

    @retry(
        stop=stop_after_attempt(conf.retry_attempts),
        wait=exponential,
        retry=retry_if_result(lambda r: r.status_code >= 500),
    )
    async def ping_model(self, model: str) -> httpx.Response:
        async with asyncio.timeout(self._deadline):
            return await self._http.get(f"/models/{model}")

    @stamina.retry(on=(httpx.ConnectError, httpx.ReadTimeout), attempts=conf.retry_attempts)
    async def weights(self) -> dict[str, float]:
        async with asyncio.timeout(self._deadline):
            response = await self._http.get("/weights")
        return response.json()
