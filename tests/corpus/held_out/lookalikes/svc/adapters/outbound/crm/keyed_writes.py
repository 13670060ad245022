import asyncio
from tenacity import retry, retry_if_exception_type, wait_exponential_jitter
class CrmAdapter:
    @retry(wait=wait_exponential_jitter(), retry=retry_if_exception_type(OSError))
    async def a(self, key):
        headers = {}
        headers["idempotency-key"] = key
        async with asyncio.timeout(self.t):
            return await self._client.post("/x", headers=headers)
    @retry(wait=wait_exponential_jitter(), retry=retry_if_exception_type(OSError))
    async def b(self, key):
        async with asyncio.timeout(self.t):
            return await self._client.post("/x", headers={**self.base, "Idempotency-Key": key})
    async def c(self, bodies):
        for body in bodies:
            async with asyncio.timeout(self.t):
                await self._client.post("/x", json=body)
