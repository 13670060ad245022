import contextlib
import decimal
from decimal import Decimal
NOTHING = decimal.Decimal()
class InsuranceAdapter:
    async def a(self) -> decimal.Decimal:
        try:
            return await self.fetch()
        except Unavailable:
            return decimal.Decimal("0.0")  #! FB-X1
    async def b(self) -> Decimal:
        try:
            value = await self.fetch()
        except Unavailable:
            value = NOTHING  #! FB-X1
        return value
    async def c(self) -> "Money | None":
        try:
            return await self.fetch()
        except Unavailable:
            return  #! FB-X1
    async def d(self) -> Decimal:
        try:
            return await self.fetch()
        except Unavailable:
            pass
        return Decimal(0)  #! FB-X1
    async def get_price(self):
        try:
            return await self.fetch()
        except Unavailable:
            return 0.0  #! FB-X1
    async def quote(self) -> Quote:
        try:
            premium = await self.fetch()
        except Unavailable:
            premium = Decimal("0")  #! FB-X1
        return Quote(premium=premium)
    async def e(self) -> list[Decimal]:
        try:
            return await self.fetch()
        except Unavailable:
            return []  #! FB-X1
