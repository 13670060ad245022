class CrmProbe:
    async def ping(self):
        await self.call.get("/health")
    async def head(self):
        await self.call.request("HEAD", "/")
