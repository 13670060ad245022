import httpx
from fastapi import APIRouter
router = APIRouter()
class CrmReadiness:
    async def check(self):
        async with self.deadline():
            return await self._client.get("/health")
class OrderHealth:
    def __init__(self, registry): self.registry = registry
    def register(self): self.registry.register_probe(self.check)
    async def check(self): return await self.gateway.status()
@router.post("/orders")
async def create(client: httpx.AsyncClient, guard):
    return await guard.run(client.post, "/orders")
