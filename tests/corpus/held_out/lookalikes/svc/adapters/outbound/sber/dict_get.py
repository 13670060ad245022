class Mapping:
    async def read(self, http: dict, transport: dict):
        return http.get("x"), transport.get("y")
