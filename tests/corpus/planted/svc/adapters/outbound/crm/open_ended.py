import asyncio
import httpx
Http = httpx.AsyncClient
shared = httpx.AsyncClient(timeout=t, limits=l)
class CrmAdapter:
    client: Http
    def __init__(self, factory):
        self._made = httpx.AsyncClient(timeout=t, limits=l)
        self._post = self._made.post
    async def a(self):
        return await self.client.get("/x")  #! ASYNC-3
    async def b(self):
        return await self._made.patch("/x")  #! ASYNC-3
    async def c(self):
        return await self._post("/x")  #! ASYNC-3
    async def d(self):
        return await shared.head("/x")  #! ASYNC-3
    async def e(self):
        task = asyncio.create_task(self._made.get("/x"))  #! ASYNC-3
        return await task
    async def f(self):
        try:
            async with asyncio.timeout(self.t):
                return await self._made.get("/x")
        except TimeoutError:
            return await self._made.get("/y")  #! ASYNC-3
    async def g(self):
        return await self._made.get("/x", timeout=None)  #! ASYNC-3 TO-X1
def h():
    return httpx.post("https://crm/x")  #! ASYNC-3
def i():
    with httpx.Client(timeout=t, limits=l) as http:
        return http.get("/x")  #! ASYNC-3
