import asyncio
import httpx
from contextlib import asynccontextmanager
from typing import Optional, Self
class Base:
    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
class MailAdapter(Base):
    async def a(self):
        return await self.client.get("/x")  #! ASYNC-3
    @property
    def http(self) -> httpx.AsyncClient:
        return self.client
    async def b(self):
        return await self.http.get("/x")  #! ASYNC-3
    async def c(self, client: Optional[httpx.AsyncClient] = None):
        client = client or self.client
        return await client.get("/x")  #! ASYNC-3
    async def d(self):
        method = getattr(self.client, "post")
        return await method("/x")  #! ASYNC-3
    async def e(self, *, http: "httpx.AsyncClient"):
        coros = [http.get(p) for p in self.paths]  #! ASYNC-3
        return await asyncio.gather(*coros)
    async def f(self):
        if self.slow:
            async with asyncio.timeout(self.t):
                return await self.client.get("/a")
        return await self.client.get("/b")  #! ASYNC-3
    async def g(self):
        async with asyncio.TaskGroup() as group:
            group.create_task(self.client.get("/x"))  #! ASYNC-3
async def make() -> httpx.AsyncClient: ...
async def h():
    client = await make()
    return await client.get("/x")  #! ASYNC-3
