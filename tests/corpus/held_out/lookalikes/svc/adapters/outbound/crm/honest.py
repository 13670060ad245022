from decimal import Decimal
class CrmAdapter:
    async def a(self) -> Decimal:
        try:
            return await self.fetch()
        except OSError as error:
            raise CrmUnavailable from error
    async def cached(self) -> Decimal:
        try:
            return await self.fetch()
        except OSError:
            return self.last_known
    async def delete(self, id) -> bool:
        try:
            await self.remove(id)
        except NotFoundError:
            return True
        return True
    async def status(self):
        try:
            return await self.fetch()
        except OSError:
            return {"status": "unknown"}
