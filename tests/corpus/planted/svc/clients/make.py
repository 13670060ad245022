from httpx import AsyncClient
import httpx
KIND = httpx.AsyncClient
def a(base):
    return KIND(base_url=base)  #! ISO-X2
def b(base, s):
    return AsyncClient(base_url=base, timeout=s.timeout)  #! ISO-X2
def c(base):
    options = dict(base_url=base)
    return AsyncClient(**options)  #! ISO-X2
class Holder:
    client = AsyncClient()  #! ISO-X2
def d(client=httpx.AsyncClient()):  #! ISO-X2
    return client
