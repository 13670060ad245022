class CrmProbe:
    async def ping(self):
        await self.http.post("/customers", json={})  #! HC-X2
    async def check(self):
        return await self.adapter.submit({})  #! HC-X2
