import asyncio

import httpx

from app.core.config import Upstream, get_config

config = get_config()


class StockProbe:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def check(self) -> bool:
        async with asyncio.timeout(config.stock.total):
            answer = await self.http.put("/levels/HEALTHCHECK", json={"level": 0})  #! HC-X2
        return answer.is_success


class ShippingProbe:
    def __init__(self, http: httpx.AsyncClient, up: Upstream) -> None:
        self.http = http
        self.up = up

    async def check(self) -> bool:
        async with asyncio.timeout(self.up.total):
            answer = await self.http.head("/status")  # looks like HC-X2: HEAD
        return answer.is_success


async def pay_is_healthy(pay) -> bool:
    async with asyncio.timeout(config.pay.total):
        charge = await pay.create_charge(amount="0.01", currency="EUR", reference="health")  #! HC-X2
    return charge.accepted


async def loyalty_is_healthy(http: httpx.AsyncClient) -> bool:
    async with asyncio.timeout(config.loyalty.total):
        answer = await http.request("GET", "/ready")  # looks like HC-X2: a GET by another name
    return answer.status_code == 200
