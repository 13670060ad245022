import asyncio
import backoff
import stamina
from tenacity import AsyncRetrying, retry, wait_exponential_jitter, retry_if_exception_type
again = retry(wait=wait_exponential_jitter(), retry=retry_if_exception_type(OSError))
class CrmAdapter:
    @again
    async def by_policy(self, body):
        async with asyncio.timeout(self.t):
            return await self._client.post("/x", json=body)  #! RE-X1
    @stamina.retry(on=OSError)
    async def by_stamina(self, body):
        async with asyncio.timeout(self.t):
            return await self._client.put("/x", json=body)  #! RE-X1
    @backoff.on_exception(backoff.expo, OSError)
    async def by_backoff(self, body):
        async with asyncio.timeout(self.t):
            return await self._client.request(method="POST", url="/x", json=body)  #! RE-X1
    async def by_while(self, body):
        left = self.attempts
        while left:  #! RE-X3
            left -= 1
            try:
                async with asyncio.timeout(self.t):
                    return await self._client.post("/x", json=body)  #! RE-X1
            except OSError:
                continue
    async def by_nested(self, body):
        @retry(wait=wait_exponential_jitter(), retry=retry_if_exception_type(OSError))
        async def attempt():
            async with asyncio.timeout(self.t):
                return await self._client.post("/x", json=body)  #! RE-X1
        return await attempt()
