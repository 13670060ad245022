import asyncio
import itertools
import backoff
import httpx
from tenacity import retry, retry_if_result, wait_random_exponential, stop_never
class Watch:
    def __init__(self, client: httpx.AsyncClient): self._client = client
    async def a(self, id):
        while True:  #! ASYNC-1-MAX
            async with asyncio.timeout(self.t):
                answer = await self._client.get(f"/operations/{id}")
            if answer.json()["status"] == "done":
                return answer
            await asyncio.sleep(self.pause)
    @retry(retry=retry_if_result(lambda r: r.pending), wait=wait_random_exponential())  #! ASYNC-1-MAX
    async def b(self, id): ...
    @backoff.on_predicate(backoff.expo, lambda r: r.pending)  #! ASYNC-1-MAX
    async def c(self, id): ...
    async def d(self, id):
        for _ in iter(int, 1):  #! ASYNC-1-MAX
            if (await self.port.job_status(id)).final:
                return
            await asyncio.sleep(self.pause)
    async def e(self, id):
        while await self.port.is_pending(id):  #! ASYNC-1-MAX
            await asyncio.sleep(self.pause)
    @retry(retry=retry_if_result(lambda r: r is None), wait=wait_random_exponential(), stop=stop_never)  #! ASYNC-1-MAX
    async def f(self, id): ...
    async def g(self, id):
        while (operation := await self.port.get_operation(id)).status != "done":  #! ASYNC-1-MAX
            await asyncio.sleep(self.pause)
        return operation
