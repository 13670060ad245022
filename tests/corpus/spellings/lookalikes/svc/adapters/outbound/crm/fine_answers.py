from decimal import Decimal
from typing import Any
from svc.adapters.outbound.crm.generated.models import Customer as CustomerDto
class CrmAdapter:
    async def a(self):
        try:
            return await self.fetch()
        except OSError:
            return Quote(price=self.last, stale=True)
    async def b(self, order):
        try:
            await self.send(order)
        except OSError:
            order.status = "pending"
            raise
    async def c(self):
        customer: CustomerDto = await self._api.get()
        return to_domain(customer)
    async def d(self) -> Decimal:
        return await self.guard.call(self.fetch, fallback=self.last_known)
    async def e(self, items):
        total = Decimal(0)
        for item in items:
            try:
                total += await self.price(item)
            except OSError:
                raise Unavailable from None
        return total
    async def f(self):
        sent = True
        try:
            await self.send()
        except OSError:
            sent = False
        return sent
    async def g(self, system: str) -> bool:
        return system in self.known
    async def h(self, service: "PricingService", path: str):
        return await service.get(path)
