from svc.adapters.outbound.crm.generated.models import Customer as CustomerDto
class CrmAdapter:
    async def a(self):  #! OAS-X3
        customer: CustomerDto = await self._api.get()
        return customer
    async def b(self, id) -> "tuple[CustomerDto, ...]":  #! OAS-X3
        ...
    async def c(self):  #! OAS-X3
        answer = await self._api.get()
        return CustomerDto.model_validate(answer)
    async def d(self):  #! OAS-X3
        return [CustomerDto(**row) for row in await self._api.all()]
