import asyncio
import backoff
import httpx
import stamina
import tenacity
from tenacity import retry, retry_if_exception_type as on, wait_fixed, wait_random_exponential
PAUSE = wait_fixed(1)
class CrmAdapter:
    def __init__(self, client: httpx.AsyncClient):
        self._client = client
    async def a(self):
        async with asyncio.timeout(self.t):
            for _ in range(self.n):
                try:
                    return await self._client.get("/x")
                except httpx.ConnectError:
                    await asyncio.sleep(0.1)  #! RE-X3
    async def b(self):
        async with asyncio.timeout(self.t):
            while True:  #! RE-X3
                try:
                    return await self._client.get("/x")
                except httpx.ConnectError:
                    continue
    async def c(self):
        async with asyncio.timeout(self.t):
            for _ in range(self.n):
                response = await self._client.get("/x")
                if response.status_code < 500:
                    return response
                await asyncio.sleep(self.pause)  #! RE-X3
    async def d(self):
        async with asyncio.timeout(self.t):
            try:
                return await self._client.get("/x")
            except httpx.ConnectError:
                return await self._client.get("/x")  #! RE-X3
    @stamina.retry(on=OSError, wait_initial=s.w, wait_exp_base=1)  #! RE-X3
    async def e(self): ...
    @backoff.on_exception(backoff.constant, OSError, interval=s.w)  #! RE-X3
    async def f(self): ...
    async def g(self):
        return await self.h.retry_with(wait=tenacity.wait_none())(self)  #! RE-X3
    @retry(**{"retry": on(OSError), "wait": PAUSE})  #! RE-X3
    async def h(self): ...
    @retry(retry=on(OSError), wait=lambda state: 2)  #! RE-X3
    async def i(self): ...
    async def j(self, left=3):
        async with asyncio.timeout(self.t):
            try:
                return await self._client.get("/x")
            except httpx.ConnectError:
                await asyncio.sleep(self.pause)
                return await self.j(left - 1)  #! RE-X3
