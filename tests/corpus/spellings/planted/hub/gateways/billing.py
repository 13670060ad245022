import asyncio
from decimal import Decimal
import httpx
from hub.core.http import BaseGateway
from hub.core.retrying import Retrier, backing, steady
from hub.core.config import config
class BillingGateway(BaseGateway):
    async def invoice(self, number):
        return await self.http.get(f"/invoices/{number}")  #! ASYNC-3
    @backing
    async def pay(self, number, cents):
        async with asyncio.timeout(config.total):
            return await self.http.post(f"/invoices/{number}/payments", json={"cents": cents})  #! RE-X1
    @Retrier(config.n, config.pause)
    async def void(self, number):
        async with asyncio.timeout(config.total):
            return await self.http.delete(f"/invoices/{number}")  #! RE-X1
    async def amend(self, number, fields):
        async for attempt in steady():
            with attempt:
                async with asyncio.timeout(config.total):
                    await self.http.patch(f"/invoices/{number}", json=fields)  #! RE-X1
    async def outstanding(self, customer) -> Decimal:
        try:
            async with asyncio.timeout(config.total):
                response = await self.http.get(f"/customers/{customer}/outstanding")
            response.raise_for_status()
        except (httpx.HTTPError, TimeoutError):
            response = None
        return Decimal(response.json()["sum"]) if response is not None else Decimal("0")  #! FB-X1
    async def wait_for_settlement(self, number):
        for _ in range(30):
            async with asyncio.timeout(config.total):
                reply = await self.http.get(f"/invoices/{number}")
            if reply.json()["settled"]:
                return
            await asyncio.sleep(0.5)  #! ASYNC-2
