import asyncio
import httpx
class CrmAdapter:
    def __init__(self, http: httpx.AsyncClient):
        self._http = http
    async def a(self):
        async with self._deadline(), asyncio.timeout(self.t):
            return await self._http.get("/x")
    async def b(self):
        with_deadline = asyncio.wait_for
        return await with_deadline(self._http.get("/x"), timeout=self.t)
    async def c(self):
        async with asyncio.timeout(self.t):
            async with self._http.stream("GET", "/x") as r:
                async for line in r.aiter_lines():
                    yield line
    async def d(self):
        async with asyncio.timeout(self.t):
            return await asyncio.gather(*(self._http.get(u) for u in self.urls))
    async def e(self):
        async with asyncio.timeout(self.t), asyncio.TaskGroup() as group:
            group.create_task(self._http.get("/x"))
    async def f(self):
        request = self._http.build_request("GET", "/x")
        return await asyncio.wait_for(self._http.send(request), self.t)
