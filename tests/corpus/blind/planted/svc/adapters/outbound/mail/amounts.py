from decimal import Decimal
ZERO = Money(Decimal(0), "RUB")
class MailAdapter:
    async def a(self) -> Money:
        try:
            return await self.fetch()
        except Unavailable:
            return ZERO  #! FB-X1
    async def b(self) -> Decimal:
        return await self.fetch_or(Decimal(0))
    async def c(self) -> Decimal:
        result = None
        try:
            result = await self.fetch()
        except Unavailable:
            log.warning("x")
        return result or Decimal(0)  #! FB-X1
    async def d(self) -> tuple[Decimal, str]:
        try:
            return await self.fetch()
        except Unavailable:
            return Decimal(0), "RUB"  #! FB-X1
    async def total_amount(self):
        try:
            return await self.fetch()
        except Unavailable:
            return {"amount": 0}  #! FB-X1
