import asyncio
import contextlib
import aiohttp
import stamina
from tenacity import AsyncRetrying, retry, retry_if_exception_type, wait_random_exponential
from svc.policies.again import passing, thrice
caller = stamina.AsyncRetryingCaller().on(OSError)
async def with_retries(send, times):
    pause = 0.1
    for _ in range(times):
        try:
            return await send()
        except OSError:
            pause *= 2
            await asyncio.sleep(pause)
class CrmAdapter:
    @passing
    async def a(self, body):
        async with asyncio.timeout(self.t):
            return await self._client.post("/x", json=body)  #! RE-X1
    @thrice
    async def b(self, body):
        async with asyncio.timeout(self.t):
            return await self._client.post("/x", json=body)  #! RE-X1
    async def c(self, body):
        async with asyncio.timeout(self.t):
            return await with_retries(lambda: self._client.post("/x", json=body), self.n)  #! RE-X1
    async def d(self, body):
        async with asyncio.timeout(self.t):
            pause = 0.1
            for _ in range(self.n):
                response = await self._client.post("/x", json=body)  #! RE-X1
                if response.status_code < 500:
                    return response
                pause *= 2
                await asyncio.sleep(pause)
    async def e(self, body):
        async with asyncio.timeout(self.t):
            pause = 0.1
            for _ in range(self.n):
                with contextlib.suppress(OSError):
                    return await self._client.post("/x", json=body)  #! RE-X1
                pause *= 2
                await asyncio.sleep(pause)
    async def f(self, body):
        async with asyncio.timeout(self.t):
            return await caller(self._client.post, "/x", json=body)  #! RE-X1
    async def g(self, body, session: aiohttp.ClientSession):
        async for attempt in AsyncRetrying(wait=wait_random_exponential(), retry=retry_if_exception_type(OSError)):
            with attempt:
                async with asyncio.timeout(self.t):
                    await session.put("/x", json=body)  #! RE-X1
    async def h(self, body):
        sent = False
        pause = 0.1
        async with asyncio.timeout(self.t):
            while not sent:
                try:
                    await self._client.post("/x", json=body)  #! RE-X1
                    sent = True
                except OSError:
                    pause *= 2
                    await asyncio.sleep(pause)  #! ASYNC-2 ASYNC-X2
    async def i(self, body):
        async with asyncio.timeout(self.t):
            return await stamina.retry(on=OSError)(self._send)(body)
    async def _send(self, body):
        return await self._client.post("/x", json=body)  #! RE-X1
