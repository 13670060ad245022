from collections.abc import AsyncIterator
from svc.adapters.outbound.crm.generated import models
Alias = models.Customer
class CrmAdapter:
    async def each(self) -> AsyncIterator[models.Customer]:  #! OAS-X3
        ...
    async def by_alias(self) -> dict[str, Alias]:  #! OAS-X3
        ...
