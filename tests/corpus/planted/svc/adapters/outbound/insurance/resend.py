import asyncio
from tenacity import AsyncRetrying, retry, wait_exponential_jitter, retry_if_exception_type
import tenacity
W = wait_exponential_jitter()
ON = retry_if_exception_type(OSError)
retrying = AsyncRetrying(wait=W, retry=ON)
class InsuranceAdapter:
    def __init__(self):
        self._retrying = tenacity.AsyncRetrying(wait=W, retry=ON)
    async def a(self, body):
        async for attempt in self._retrying:
            with attempt:
                async with asyncio.timeout(self.t):
                    return await self._client.post("/x", json=body)  #! RE-X1
    @retrying.wraps
    async def b(self, body):
        async with asyncio.timeout(self.t):
            return await self._client.post("/x", json=body)  #! RE-X1
    async def c(self, body):
        return await retrying(self._send, body)
    async def _send(self, body):
        async with asyncio.timeout(self.t):
            return await self._client.delete("/x")  #! RE-X1
    @retry(wait=W, retry=ON)
    async def d(self, body):
        verb = "POST"
        async with asyncio.timeout(self.t):
            return await self._client.request(verb, "/x", json=body)  #! RE-X1
    async def e(self, body):
        while True:  #! RE-X3
            try:
                async with asyncio.timeout(self.t):
                    await self._client.post("/x", json=body)  #! RE-X1
                break
            except (OSError, TimeoutError):
                self.log.info("again")
    @retry(wait=W, retry=ON)
    async def f(self, body):
        headers = {"X-Request-Id": "1"}
        async with asyncio.timeout(self.t):
            return await self._client.post("/x", json=body, headers=headers)  #! RE-X1
