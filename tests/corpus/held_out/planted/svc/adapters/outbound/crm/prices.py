from decimal import Decimal
class CrmAdapter:
    async def price(self, sku) -> Decimal:
        result = Decimal("0")
        try:
            result = await self.fetch(sku)
        except Unavailable:
            return result  #! FB-X1
        return result
    async def account_balance(self, id):
        try:
            return await self.fetch(id)
        except Unavailable:
            return None  #! FB-X1
    async def fee(self) -> Money:
        try:
            return await self.fetch()
        except Unavailable:
            return Money.zero("RUB")  #! FB-X1
    async def premium(self) -> Decimal:
        try:
            return await self.fetch()
        except Unavailable as error:
            self.log.warning("premium", exc_info=error)
            return Decimal.from_float(0.0)  #! FB-X1
