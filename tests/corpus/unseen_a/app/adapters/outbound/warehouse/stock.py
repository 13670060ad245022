"""Stock levels. Functions with an explicit client, as in the first version of the service."""
import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import httpx as hx
from httpx import AsyncClient

from app.core.config import SystemSettings
from app.core.http import timeout_for


async def stock_level(client: AsyncClient, sku: str) -> int:
    response = await client.get(f"/stock/{sku}")  #! ASYNC-3
    response.raise_for_status()
    return response.json()["level"]


async def reserve(client: AsyncClient, sku: str, count: int) -> None:
    async with client.stream("POST", f"/stock/{sku}/reservations", json={"count": count}) as reply:  #! ASYNC-3
        await reply.aread()


async def levels(client: AsyncClient, skus: list[str], cfg: SystemSettings) -> dict[str, int]:
    async with asyncio.timeout(cfg.total_timeout):
        replies = await asyncio.gather(*(client.get(f"/stock/{sku}") for sku in skus))
    return {sku: r.json()["level"] for sku, r in zip(skus, replies)}


async def movements(client: AsyncClient, sku: str, cfg: SystemSettings) -> list[dict]:
    reply = await asyncio.wait_for(client.get(f"/stock/{sku}/movements"), timeout=cfg.total_timeout)
    return reply.json()


@asynccontextmanager
async def warehouse_client(cfg: SystemSettings) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(base_url=cfg.base_url) as client:  #! ISO-X2
        yield client


def quick_client(cfg: SystemSettings) -> AsyncClient:
    return httpx.AsyncClient(base_url=cfg.base_url, timeout=timeout_for(cfg))  #! ISO-X2


class StockFeed:
    def __init__(self, cfg: SystemSettings) -> None:
        self._cfg = cfg
        self._client = hx.AsyncClient()  #! ISO-X2

    async def close(self) -> None:
        await self._client.aclose()


class Inventory:
    def __init__(self, cfg: SystemSettings, client: AsyncClient | None = None) -> None:
        options = {"base_url": cfg.base_url, "headers": {"X-Team": "orders"}, "follow_redirects": True}
        self._client = client or AsyncClient(**options)  #! ISO-X2
