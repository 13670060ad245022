from svc.resilience.protected import probe
class InsuranceAdapter:
    @probe
    async def ping(self, call):
        await call.post("/claims", {})  #! HC-X2
