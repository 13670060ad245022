import httpx
from svc.resilience.protected import read, keyed_write
class CrmAdapter:
    @read
    async def status(self, call, id):
        return await call.get(f"/x/{id}")
    @keyed_write
    async def submit(self, call, payload, *, idempotency_key):
        return await call.post("/x", payload)
