import asyncio
class CrmAdapter:
    async def a(self, path):
        return await asyncio.to_thread(path.read_bytes)
    def _parse(self, raw):
        return raw.decode()
    async def b(self, raw):
        return await asyncio.to_thread(self._parse, raw)
