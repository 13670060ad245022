import asyncio
import httpx
from contextlib import AsyncExitStack
class MailAdapter:
    def __init__(self, client: httpx.AsyncClient, guard):
        self.client = client
        self.guard = guard
    async def a(self):
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(asyncio.timeout(self.t))
            return await self.client.get("/x")
    async def b(self):
        async with asyncio.timeout(self.t):
            for page in self.pages:
                await self._page(page)
    async def _page(self, page):
        return await self.client.get(page)
    async def c(self):
        await self.client.aclose()
        return self.client.headers.get("x")
    async def d(self):
        return await self.guard.run(self._send)
    async def _send(self):
        return await self.client.get("/x")
