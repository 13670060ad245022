"""Loyalty points at the partner. First adapter of the team, before there were settings."""
from __future__ import annotations

import asyncio
from datetime import timedelta
from uuid import UUID

import httpx
from aiobreaker import CircuitBreaker
from tenacity import retry, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from app.core.config import settings
from app.core.http import limits_for, timeout_for

BASE = "https://loyalty.example"
POINTS_PER_EURO = 10
MAX_PAGE = 50

loyalty_breaker = CircuitBreaker(fail_max=5, timeout_duration=timedelta(seconds=60), name="loyalty")  #! CFG-X1
bulkhead = asyncio.Semaphore(8)  #! CFG-X1


def loyalty_client() -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=50, max_keepalive_connections=10)  #! CFG-X1
    return httpx.AsyncClient(base_url=BASE, limits=limits, timeout=timeout_for(settings.notify))


def bonus_client() -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=BASE, limits=limits_for(settings.notify), timeout=httpx.Timeout(8.0, connect=1.5))  #! CFG-X1


class LoyaltyAdapter:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def points(self, customer: UUID) -> int:
        async with asyncio.timeout(4.5):  #! CFG-X1
            response = await self._http.get(f"/customers/{customer}/points")
        return response.json()["points"]

    @retry(stop=stop_after_attempt(3), wait=wait_random_exponential(max=settings.notify.retry_max), retry=retry_if_exception_type(httpx.TransportError))  #! CFG-X1
    async def levels(self) -> list[str]:
        async with asyncio.timeout(settings.notify.total_timeout):
            response = await self._http.get("/levels", params={"limit": MAX_PAGE})
        return response.json()

    async def partners(self, page: int = 1, size: int = 25) -> list[str]:
        async with asyncio.timeout(settings.notify.total_timeout):
            response = await self._http.get("/partners", params={"page": page, "size": size})
        return [row["name"] for row in response.json()[:20]]

    def points_for(self, euros: int) -> int:
        return euros * POINTS_PER_EURO


async def member(http: httpx.AsyncClient, customer: UUID) -> dict:
    async with asyncio.timeout(settings.notify.total_timeout):
        response = await http.get(f"/members/{customer}")
    return response.json()


async def card(http: httpx.AsyncClient, number: str) -> dict:
    response = await http.get(f"/cards/{number}")  #! ASYNC-3
    return response.json()
