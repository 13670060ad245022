from typing import Optional
from .generated.models import Policy, Claim as ClaimDto
class InsuranceAdapter:
    async def a(self) -> Optional[Policy]:  #! OAS-X3
        ...
    async def b(self) -> tuple[str, ClaimDto]:  #! OAS-X3
        ...
    async def c(self, raw):  #! OAS-X3
        policy = Policy(**raw)
        return policy
