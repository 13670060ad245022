from .generated.models import Policy
from .generated.sdk import Sdk
from svc.domain.policy import Policy as DomainPolicy
class InsuranceAdapter:
    def __init__(self, sdk: Sdk):
        self._sdk = sdk
    async def a(self, raw) -> DomainPolicy:
        policy = Policy(**raw)
        return DomainPolicy(policy.id)
    async def b(self, domain: DomainPolicy) -> None:
        body = Policy(id=domain.id)
        await self._sdk.send(body)
class PolicyMapper:
    def _dto(self) -> Policy: ...
