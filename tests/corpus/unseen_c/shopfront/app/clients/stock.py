import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import backoff
import httpx
from starlette.concurrency import run_in_threadpool

from app.core.breakers import stock_breaker
from app.core.config import get_config

up = get_config().stock
TRANSIENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ReadTimeout, TimeoutError)


class StockUnavailable(Exception):
    pass


class StockClient:
    def __init__(self, http: httpx.AsyncClient, pool: ThreadPoolExecutor) -> None:
        self.http = http
        self.pool = pool
        self.levels: dict[str, int] = {}

    @stock_breaker
    async def level(self, sku: str) -> int:
        async with asyncio.timeout(up.total):
            response = await self.http.get(f"/levels/{sku}")
        response.raise_for_status()
        self.levels[sku] = int(response.json()["level"])
        return self.levels[sku]

    async def level_in_thread(self, sku: str) -> int:
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(up.total):
            return await loop.run_in_executor(self.pool, lambda: asyncio.run(self.level(sku)))  #! BH-X1

    async def levels_of(self, skus: list[str]) -> list[int]:
        return [await run_in_threadpool(asyncio.run, self.level(sku)) for sku in skus]  #! BH-X1

    async def import_sheet(self, path: Path) -> str:
        return await run_in_threadpool(path.read_text)  # looks like BH-X1: blocking work, no coroutine

    @backoff.on_exception(backoff.expo, httpx.HTTPError, max_tries=up.tries, jitter=backoff.full_jitter)  #! RE-X2
    async def warehouses(self) -> list[str]:
        async with asyncio.timeout(up.total):
            response = await self.http.get("/warehouses")
        response.raise_for_status()
        return [row["code"] for row in response.json()]

    @backoff.on_exception(backoff.constant, TRANSIENT, interval=up.first_pause, max_tries=up.tries)  #! RE-X3
    async def suppliers(self) -> list[str]:
        async with asyncio.timeout(up.total):
            response = await self.http.get("/suppliers")
        return [row["name"] for row in response.json()]

    @backoff.on_exception(backoff.expo, TRANSIENT, max_tries=up.tries, jitter=backoff.full_jitter)
    async def bins(self, sku: str) -> list[str]:  # looks like RE-X2 and RE-X3: transient errors, expo with jitter
        async with asyncio.timeout(up.total):
            response = await self.http.get(f"/levels/{sku}/bins")
        return list(response.json())

    @backoff.on_exception(backoff.expo, TRANSIENT, max_tries=up.tries, jitter=backoff.full_jitter)
    async def correct(self, sku: str, by: int) -> None:
        async with asyncio.timeout(up.total):
            response = await self.http.patch(f"/levels/{sku}", json={"by": by})  #! RE-X1
        response.raise_for_status()

    async def reserve(self, sku: str, order_id: str) -> dict[str, object]:
        try:
            async with asyncio.timeout(up.total):
                response = await self.http.post("/reservations", json={"sku": sku}, headers={"Idempotency-Key": order_id})
            response.raise_for_status()
        except TRANSIENT:
            return {"sku": sku, "reserved": True}  #! FB-X2
        return response.json()

    async def all_levels(self) -> dict[str, int]:
        page, found = 1, {}
        while page:  # looks like RE-X3 and ASYNC-1-MAX: pages, no repetition
            async with asyncio.timeout(up.total):
                response = await self.http.get("/levels", params={"page": page})
            body = response.json()
            found.update(body["levels"])
            page = body.get("next")
        return found

    async def cached_level(self, sku: str) -> int:
        try:
            return await self.level(sku)
        except TRANSIENT as error:
            if sku not in self.levels:
                raise StockUnavailable(sku) from error
            return self.levels[sku]  # looks like FB-X1: a cached read, and no money
