import asyncio
from decimal import Decimal
from urllib.request import urlopen

import httpx
from tenacity import AsyncRetrying, retry, retry_if_exception, retry_if_exception_type, stop_after_attempt
from tenacity import wait_random, wait_random_exponential

from app.core.config import get_config

cfg = get_config().shipping


def answered_badly(error: BaseException) -> bool:
    return isinstance(error, httpx.HTTPStatusError) and error.response.status_code >= 400


class ShippingClient:
    http: httpx.AsyncClient

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    @retry(retry=retry_if_exception(answered_badly), wait=wait_random_exponential(max=cfg.longest_pause), stop=stop_after_attempt(cfg.tries))  #! RE-X2
    async def services(self, country: str) -> list[str]:
        async with asyncio.timeout(cfg.total):
            response = await self.http.get("/services", params={"to": country})
        response.raise_for_status()
        return list(response.json())

    @retry(stop=stop_after_attempt(cfg.tries), wait=wait_random_exponential(multiplier=cfg.first_pause, max=cfg.longest_pause))  #! RE-X2
    async def zones(self) -> list[str]:
        async with asyncio.timeout(cfg.total):
            response = await self.http.get("/zones")
        return list(response.json())

    @retry(retry=retry_if_exception_type(httpx.ConnectError), wait=wait_random(cfg.first_pause, cfg.longest_pause), stop=stop_after_attempt(cfg.tries))  #! RE-X3
    async def depots(self) -> list[str]:
        async with asyncio.timeout(cfg.total):
            response = await self.http.get("/depots")
        return list(response.json())

    @retry(retry=retry_if_exception_type(httpx.ConnectError), stop=stop_after_attempt(cfg.tries), reraise=True)  #! RE-X3
    async def holidays(self) -> list[str]:
        async with asyncio.timeout(cfg.total):
            response = await self.http.get("/holidays")
        return list(response.json())

    async def rate(self, parcel: dict[str, str]) -> Decimal | None:
        try:
            async with asyncio.timeout(cfg.total):
                response = await self.http.post("/rates", json=parcel)
            response.raise_for_status()
        except (httpx.TransportError, TimeoutError):
            return None  #! FB-X1
        return Decimal(response.json()["price"])

    async def book(self, parcel: dict[str, str]) -> str:
        async for attempt in AsyncRetrying(
            retry=retry_if_exception_type((httpx.ConnectError, httpx.ReadTimeout)),
            wait=wait_random_exponential(max=cfg.longest_pause),
            stop=stop_after_attempt(cfg.tries),
            reraise=True,
        ):
            with attempt:
                async with asyncio.timeout(cfg.total):
                    response = await self.http.request("POST", "/parcels", json=parcel)  #! RE-X1
                response.raise_for_status()
        return response.json()["id"]

    async def book_once(self, parcel: dict[str, str], order_id: str) -> str:
        headers = {"Idempotency-Key": f"order-{order_id}"}
        async for attempt in AsyncRetrying(  # looks like RE-X1: the key is in `headers`
            retry=retry_if_exception_type((httpx.ConnectError, httpx.ReadTimeout)),
            wait=wait_random_exponential(max=cfg.longest_pause),
            stop=stop_after_attempt(cfg.tries),
            reraise=True,
        ):
            with attempt:
                async with asyncio.timeout(cfg.total):
                    response = await self.http.request("POST", "/parcels", json=parcel, headers=headers)
                response.raise_for_status()
        return response.json()["id"]

    async def label(self, parcel_id: str) -> bytes:
        response = await self.http.get(f"/parcels/{parcel_id}/label", timeout=None)  #! ASYNC-3 TO-X1
        return response.content

    async def tracking(self, parcel_id: str) -> dict[str, str]:
        async with asyncio.timeout(cfg.total):
            response = await self.http.get(f"/parcels/{parcel_id}", timeout=cfg.read)  # looks like CFG-X1
        return response.json()

    def terms(self) -> bytes:
        with urlopen(f"{cfg.url}/terms.txt") as answer:  #! TO-X1
            return answer.read()

    def price_list(self) -> bytes:
        with urlopen(f"{cfg.url}/prices.csv", timeout=cfg.read) as answer:  # looks like TO-X1: it has one
            return answer.read()
