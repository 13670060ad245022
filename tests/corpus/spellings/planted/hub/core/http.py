import httpx
from hub.core.config import config
def make_client(name: str) -> httpx.AsyncClient:
    section = config[name]
    return httpx.AsyncClient(timeout=section.timeout, limits=section.limits)
class BaseGateway:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
    async def _send(self, method, path, **kwargs):
        return await self.http.request(method, path, **kwargs)  #! ASYNC-3
