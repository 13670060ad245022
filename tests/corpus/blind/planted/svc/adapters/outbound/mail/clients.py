import httpx
from httpx import AsyncClient, Limits
LIMITS = None
NO_TIMEOUT = httpx.Timeout(None)
def a(base):
    return httpx.AsyncClient(base_url=base, limits=LIMITS, timeout=base.t)  #! ISO-X2
def b(base):
    return httpx.AsyncClient(base_url=base, timeout=NO_TIMEOUT, limits=base.l)  #! ISO-X2
async def c(stack, base):
    return await stack.enter_async_context(AsyncClient(base_url=base))  #! ISO-X2
client_class = {"http": AsyncClient}
clients = {name: AsyncClient(base_url=url) for name, url in urls.items()}  #! ISO-X2
factory = lambda base: AsyncClient(base_url=base)  #! ISO-X2
