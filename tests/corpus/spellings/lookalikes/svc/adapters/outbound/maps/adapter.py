from svc.resilience.call import Call
class MapsAdapter:
    PLACES = "/places"
    async def find(self, call: Call, place: str):
        return await call.get(f"/places/{place}?fields=name")
    async def add(self, call: Call, name: str):
        return await call.post(self.PLACES, {"name": name})
    async def by_link(self, call: Call, link: str):
        return await call.get(link)
    async def versioned(self, call: Call, place: str):
        return await call.get(f"/v1/places/{place}")
    def cached(self, places: dict[str, str]):
        return places.get("/places")
