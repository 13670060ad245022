"""Full text search, three generations of it."""
import asyncio
from functools import partial

import backoff
import httpx
import stamina
import tenacity
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt
from tenacity.wait import wait_incrementing, wait_random

from shop.conf import search as cfg
from shop.resilience import TRANSIENT, is_transient

tries = stop_after_attempt(cfg.attempts)
on_transient = retry_if_exception_type(TRANSIENT)
linear = wait_incrementing(start=cfg.backoff_first, increment=cfg.backoff_first, max=cfg.backoff_cap)


def _not_ok(response: httpx.Response) -> bool:
    return not response.is_success


class SearchClient:
    def __init__(self, http: httpx.AsyncClient):
        self.http = http

    @tenacity.retry(stop=tries, retry=on_transient, wait=linear)  #! RE-X3
    async def query(self, text: str) -> list[str]:
        async with asyncio.timeout(cfg.total):
            response = await self.http.get("/search", params={"q": text})
        return response.json()["hits"]

    @backoff.on_exception(backoff.constant, httpx.ConnectError, max_tries=cfg.attempts, interval=cfg.backoff_first)  #! RE-X3
    async def suggest(self, prefix: str) -> list[str]:
        async with asyncio.timeout(cfg.total):
            response = await self.http.get("/suggest", params={"q": prefix})
        return response.json()

    async def facets(self, text: str) -> dict[str, int]:
        async for attempt in AsyncRetrying(stop=tries, retry=on_transient, wait=wait_random(max=cfg.backoff_cap)):  #! RE-X3
            with attempt:
                async with asyncio.timeout(cfg.total):
                    response = await self.http.get("/facets", params={"q": text})
        return response.json()

    async def synonyms(self, word: str) -> list[str]:
        async for attempt in AsyncRetrying(stop=tries, retry=on_transient):  #! RE-X3
            with attempt:
                async with asyncio.timeout(cfg.total):
                    response = await self.http.get(f"/synonyms/{word}")
        return response.json()

    @backoff.on_exception(backoff.expo, (httpx.ConnectError, httpx.ReadTimeout), max_tries=cfg.attempts)
    async def similar(self, sku: str) -> list[str]:
        async with asyncio.timeout(cfg.total):
            response = await self.http.get(f"/similar/{sku}")
        response.raise_for_status()
        return response.json()

    @tenacity.retry(stop=tries, wait=tenacity.wait_random_exponential(max=cfg.backoff_cap), retry=tenacity.retry_if_result(_not_ok))  #! RE-X2
    async def ranking(self, sku: str) -> httpx.Response:
        async with asyncio.timeout(cfg.total):
            return await self.http.get(f"/ranking/{sku}")

    @stamina.retry(on=(OSError, Exception), attempts=cfg.attempts)  #! RE-X2
    async def trends(self) -> list[str]:
        async with asyncio.timeout(cfg.total):
            response = await self.http.get("/trends")
        response.raise_for_status()
        return response.json()

    @backoff.on_exception(backoff.expo, TRANSIENT, max_tries=cfg.attempts, jitter=backoff.full_jitter)
    async def brands(self) -> list[str]:
        async with asyncio.timeout(cfg.total):
            response = await self.http.get("/brands")
        return response.json()

    @backoff.on_exception(backoff.expo, httpx.HTTPError, max_tries=cfg.attempts, giveup=lambda exc: not is_transient(exc))
    async def colours(self) -> list[str]:
        async with asyncio.timeout(cfg.total):
            response = await self.http.get("/colours")
        response.raise_for_status()
        return response.json()

    @stamina.retry(on=is_transient, attempts=cfg.attempts)
    async def sizes(self) -> list[str]:
        async with asyncio.timeout(cfg.total):
            response = await self.http.get("/sizes")
        response.raise_for_status()
        return response.json()

    async def post_query(self, body: dict) -> list[str]:
        call = partial(self.http.post, "/search", json=body)
        async with asyncio.timeout(cfg.total):
            return (await call()).json()
