import asyncio
from tenacity import retry, wait_exponential_jitter, retry_if_exception_type
class MailAdapter:
    @retry(wait=wait_exponential_jitter(), retry=retry_if_exception_type(OSError))
    async def a(self, body, key):
        headers = self.base | {"Idempotency-Key": key}
        async with asyncio.timeout(self.t):
            return await self._client.post("/x", json=body, headers=headers)
    @retry(wait=wait_exponential_jitter(), retry=retry_if_exception_type(OSError))
    async def b(self, body, headers):
        async with asyncio.timeout(self.t):
            return await self._client.post("/x", json=body, headers=headers)
    async def c(self, rows):
        for row in rows:
            try:
                async with asyncio.timeout(self.t):
                    await self._client.post("/x", json=row)
            except OSError:
                log.warning("skipped")
    async def d(self, urls, body):
        for url in urls:
            try:
                async with asyncio.timeout(self.t):
                    return await self._client.post(url, json=body)
            except OSError:
                continue
