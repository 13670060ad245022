from svc.resilience.call import Call
HIDDEN = "/internal/places"
class MapsAdapter:
    async def find(self, call: Call, place: str):
        return await call.get(f"/places/{place}")
    async def rename(self, call: Call, place: str, name: str):
        return await call.patch(f"/places/{place}", {"name": name})  #! OAS-2
    async def everything(self, call: Call):
        return await call.get("/places")  #! OAS-2
    async def hidden(self, call: Call):
        return await call.post(HIDDEN, {})  #! OAS-2
    async def near(self, call: Call, place: str):
        return await call.get("/places/" + place + "/near")  #! OAS-2
