import asyncio
import functools
from tenacity import AsyncRetrying, retry, wait_exponential_jitter, retry_if_exception_type
ON = retry_if_exception_type(OSError)
def again(fn):
    return retry(wait=wait_exponential_jitter(), retry=ON)(fn)
def own(fn):
    @functools.wraps(fn)
    async def wrapper(*args):
        for _ in range(args[0].n):  #! RE-X3
            try:
                return await fn(*args)
            except OSError:
                pass
    return wrapper
class MailAdapter:
    @again
    async def a(self, body):
        async with asyncio.timeout(self.t):
            return await self._client.post("/x", json=body)  #! RE-X1
    @own
    async def b(self, body):
        async with asyncio.timeout(self.t):
            return await self._client.post("/x", json=body)  #! RE-X1
    async def c(self, body):
        async with asyncio.timeout(self.t):
            try:
                return await self._client.post("/x", json=body)
            except OSError:
                return await self._client.post("/x", json=body)  #! RE-X1 RE-X3
    async def d(self, body, tries=3):
        try:
            async with asyncio.timeout(self.t):
                return await self._client.post("/x", json=body)  #! RE-X1
        except OSError:
            return await self.d(body, tries - 1)  #! RE-X3
    async def e(self, body):
        async for attempt in AsyncRetrying(wait=wait_exponential_jitter(), retry=ON):
            with attempt:
                response = await self._client.send(self._client.build_request("POST", "/x", json=body))  #! RE-X1
        return response
