import asyncio
from decimal import Decimal
import httpx
from aiobreaker import CircuitBreaker, CircuitBreakerError
from hub.core.http import make_client
ZERO = Decimal("0")
class Rates:
    def __init__(self):
        self.client = make_client("rates")
    async def rate(self, pair) -> Decimal:
        try:
            return await self._rate(pair)
        except CircuitBreakerError:
            return self.cache.get(pair, ZERO)
    async def fee(self, amount: Decimal) -> Decimal:
        try:
            response = await self._get("/fee")
        except httpx.TimeoutException:
            fee = ZERO  #! FB-X1
        else:
            fee = Decimal(response["fee"])
        return fee
    async def convert(self, amount) -> tuple[Decimal, bool]:
        try:
            return await self._convert(amount), True
        except httpx.HTTPError:
            return Decimal(), False  #! FB-X1
    async def _get(self, path):
        return (await self.client.get(path)).json()  #! ASYNC-3
    async def notify(self, message) -> dict:
        try:
            await self._post(message)
        except Exception:
            logger.exception("not sent")
        return {"ok": True}  #! FB-X2
    async def confirm(self, order):
        try:
            await self._post(order)
        except httpx.HTTPError:
            order.status = OrderStatus.CONFIRMED  #! FB-X2
        await self.save(order)
