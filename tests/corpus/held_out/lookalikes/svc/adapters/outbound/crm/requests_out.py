from .generated.models import CustomerDto
class CrmAdapter:
    def _to_dto(self, customer) -> CustomerDto: ...
    async def create(self, customer) -> str:
        dto = self._to_dto(customer)
        return await self.push(dto)
def to_dto(customer) -> CustomerDto: ...
