import asyncio
import httpx
class SberAdapter:
    def __init__(self, client: httpx.AsyncClient):
        self._client = client
    async def public(self):
        async with asyncio.timeout(self.t):
            return await self._private()
    async def _private(self):
        return await self._client.get("/x")
    async def stack(self, stack):
        await stack.enter_async_context(asyncio.timeout(self.t))
        return await self._client.get("/x")
