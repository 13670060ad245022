import asyncio
from tenacity import AsyncRetrying, retry, wait_exponential_jitter, retry_if_exception_type
IDEMPOTENCY_HEADER = "Idempotency-Key"
class InsuranceAdapter:
    @retry(wait=wait_exponential_jitter(), retry=retry_if_exception_type(OSError))
    async def a(self, idempotency_key):
        async with asyncio.timeout(self.t):
            return await self._client.post("/x", headers=keyed(idempotency_key))
    @retry(wait=wait_exponential_jitter(), retry=retry_if_exception_type(OSError))
    async def b(self, key):
        headers = dict(self._headers)
        headers[IDEMPOTENCY_HEADER] = key
        async with asyncio.timeout(self.t):
            return await self._client.request("POST", "/x", headers=headers)
    @retry(wait=wait_exponential_jitter(), retry=retry_if_exception_type(OSError))
    async def c(self):
        async with asyncio.timeout(self.t):
            return await self._client.request("GET", "/x")
    async def d(self, body):
        async with asyncio.timeout(self.t):
            await self._client.post("/x", json=body)
    async def e(self, pages):
        while page := next(pages, None):
            try:
                async with asyncio.timeout(self.t):
                    await self._client.post("/x", json=page)
            except OSError:
                raise
