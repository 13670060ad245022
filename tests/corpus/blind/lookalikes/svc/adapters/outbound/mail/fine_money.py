from decimal import Decimal
class MailAdapter:
    async def price(self, sku) -> Decimal | None:
        try:
            return self.cache[sku]
        except KeyError:
            return None
    async def amount(self):
        try:
            return await self.fetch()
        except OSError as error:
            raise Unavailable from error
    async def balance(self) -> Decimal:
        balance = Decimal(0)
        try:
            balance = await self.fetch()
        finally:
            self.done()
        return balance
