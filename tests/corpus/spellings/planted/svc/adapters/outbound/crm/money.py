import contextlib
from dataclasses import dataclass
from decimal import Decimal
from tenacity import retry, retry_if_exception_type, wait_random_exponential
def nothing(): return Decimal("0.00")
class CrmAdapter:
    async def a(self):
        try:
            return await self.fetch()
        except OSError:
            return Quote(price=Decimal(0), currency="RUB")  #! FB-X1
    async def b(self):
        try:
            return await self.fetch()
        except OSError:
            return {"balance": 0, "currency": "RUB"}  #! FB-X1
    async def c(self):
        try:
            self.balance = await self.fetch()
        except OSError:
            self.balance = Decimal(0)  #! FB-X1
    async def d(self) -> Decimal:
        try:
            return await self.fetch()
        except OSError:
            return nothing()  #! FB-X1
    async def e(self) -> Decimal:
        return await self.guard.call(self.fetch, fallback=Decimal(0))  #! FB-X1
    async def f(self) -> Decimal:
        return await self.guard.call(self.fetch, fallback=lambda error: Decimal("0"))  #! FB-X1
    async def g(self) -> Decimal:
        result, = await asyncio.gather(self.fetch(), return_exceptions=True)
        return Decimal(0) if isinstance(result, BaseException) else result  #! FB-X1
    @retry(wait=wait_random_exponential(), retry=retry_if_exception_type(OSError), retry_error_callback=lambda s: Decimal(0))  #! FB-X1
    async def h(self) -> Decimal: ...
    async def i(self, totals):
        try:
            totals["amount"] = await self.fetch()
        except OSError:
            totals["amount"] = 0  #! FB-X1
    async def j(self):
        try:
            price, currency = await self.fetch()
        except OSError:
            price, currency = Decimal(0), "RUB"  #! FB-X1
        return price, currency
    async def k(self) -> "Money | None":
        try:
            return await self.fetch()
        except (OSError, TimeoutError):
            return None  #! FB-X1
    async def l(self) -> Decimal:
        with contextlib.suppress(OSError):
            return await self.fetch()
        return Decimal()  #! FB-X1
