import httpx
from httpx import AsyncClient
DEFAULTS = {"http2": True}
class Factory:
    kind = AsyncClient
    def from_attribute(self, base):
        return self.kind(base_url=base)  #! ISO-X2
    def by_literal_mapping(self, base):
        return AsyncClient(**DEFAULTS, base_url=base)  #! ISO-X2
    def with_none(self, s):
        return AsyncClient(timeout=httpx.Timeout(None), limits=s.limits)  #! ISO-X2
async def in_a_with(base):
    async with AsyncClient(base_url=base) as c:  #! ISO-X2
        return c
