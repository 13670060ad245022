class Systems:
    async def execute_call(self, system: str, method: str, path: str):  #! OAS-X2
        return await self.clients[system].request(method, path)
    async def call(self, system_name: str, operation: str, **arguments):  #! OAS-X2
        adapter = getattr(self, system_name)
        return await getattr(adapter, operation)(**arguments)
async def invoke(provider, operation, payload):  #! OAS-X2
    client = registry.get(provider)
    return await client.post(f"/{operation}", json=payload)
async def send(payload, *, service: "str", path: str):  #! OAS-X2
    async with guard_for(service).call() as call:
        return await call.post(path, payload)
