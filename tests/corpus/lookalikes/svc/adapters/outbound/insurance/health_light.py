import asyncio
class InsuranceHealthIndicator:
    async def check(self, call):
        await call.get("/health")
    async def refresh(self):
        self._cache.put("status", "up")
        self.history.post = 1
    async def options(self):
        async with asyncio.timeout(self.t):
            await self._client.options("/")
