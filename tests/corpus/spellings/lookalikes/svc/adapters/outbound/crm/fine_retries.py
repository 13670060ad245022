import asyncio
import httpx
import stamina
from tenacity import retry, retry_if_exception, retry_if_not_exception_type, retry_if_result, stop_after_attempt, wait_random_exponential as jitter
def passing(error): return isinstance(error, httpx.HTTPStatusError) and error.response.status_code >= 500
class CrmAdapter:
    @retry(wait=jitter(), retry=retry_if_exception(passing))
    async def a(self): ...
    @retry(wait=jitter(), retry=retry_if_result(lambda r: r.status_code >= 500))
    async def b(self): ...
    async def c(self, client: httpx.AsyncClient):
        pause = self.s.base
        async with asyncio.timeout(self.t):
            for _ in range(self.n):
                try:
                    return await client.get("/x")
                except httpx.ConnectError:
                    await asyncio.sleep(pause)
                    pause *= 2
    async def d(self, client: httpx.AsyncClient):
        async with asyncio.timeout(self.t):
            for attempt in range(self.n):
                try:
                    return await client.get("/x")
                except httpx.ConnectError:
                    await asyncio.sleep(self.s.base * 2**attempt)
    async def e(self, client: httpx.AsyncClient, pages):
        async with asyncio.timeout(self.t):
            for page in pages:
                try:
                    self.rows += (await client.get(page)).json()
                except httpx.ConnectError:
                    continue
    @stamina.retry(on=lambda e: isinstance(e, httpx.HTTPStatusError) and e.response.status_code in (429, 503))
    async def f(self): ...
    @retry(wait=jitter(), retry=retry_if_result(lambda r: r.pending), stop=stop_after_attempt(s.n))
    async def g(self): ...
    async def h(self, client: httpx.AsyncClient, hosts):
        async with asyncio.timeout(self.t):
            while hosts:
                host = hosts.pop()
                response = await client.post(f"https://{host}/x")
                if response.status_code < 500:
                    return response
