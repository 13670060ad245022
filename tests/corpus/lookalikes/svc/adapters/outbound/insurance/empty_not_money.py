from decimal import Decimal, InvalidOperation
class InsuranceAdapter:
    async def names(self) -> list[str]:
        try:
            return await self.fetch()
        except Unavailable:
            return []
    async def find(self) -> Policy | None:
        try:
            return await self.fetch()
        except Unavailable:
            return None
    async def total(self) -> Decimal:
        total = Decimal(0)
        for row in await self.rows():
            total += row.amount
        return total
    def parse(self, raw) -> Decimal:
        try:
            return Decimal(raw)
        except InvalidOperation:
            raise BadAnswer from None
    async def retries(self) -> int:
        try:
            return await self.count()
        except Unavailable:
            return 0
