import httpx
from fastapi import APIRouter
from sqlalchemy import text
router = APIRouter()
class CrmReadiness:
    async def check(self):
        return await self._client.post("/orders")  #! HC-X2
class BankHealthIndicator:
    async def check(self):
        await self._roundtrip()
    async def _roundtrip(self):
        await self.gateway.create_order({})  #! HC-X2
@router.get("/healthz")
async def healthz(client: httpx.AsyncClient):
    await client.put("/orders/1")  #! HC-X2 ASYNC-3
async def check_health(session):
    await session.execute(text("INSERT INTO health VALUES (1)"))  #! HC-X2
def build(client):
    return HealthIndicator("crm", probe=lambda: client.post("/orders"))  #! HC-X2
class CrmAdapter:
    async def ping(self):
        await self._client.request("POST", "/orders")  #! HC-X2
