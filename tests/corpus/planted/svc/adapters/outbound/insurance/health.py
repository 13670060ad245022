WRITE = "DELETE"
class InsuranceHealth:
    async def check(self, call):
        await call.post("/claims", {})  #! HC-X2
    async def check2(self):
        await self._client.request(method=WRITE, url="/claims")  #! HC-X2
    async def check3(self):
        await self._adapter.cancel_policy(1)  #! HC-X2
