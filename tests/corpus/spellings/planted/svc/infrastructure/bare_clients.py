import httpx
from httpx import AsyncClient, Limits, Timeout
class CrmClient(AsyncClient):
    pass
def a(s): return CrmClient(base_url=s.url)  #! ISO-X2
def b(s): return AsyncClient(timeout=s.t, limits=Limits())  #! ISO-X2
def c(s): return AsyncClient(timeout=Timeout(timeout=None), limits=s.l)  #! ISO-X2
def d(s):
    options = dict(base_url=s.url, timeout=s.t)
    return AsyncClient(**options)  #! ISO-X2
def e(s, cls=httpx.AsyncClient): return cls(base_url=s.url)  #! ISO-X2
def f(s): return AsyncClient(timeout=s.t, limits=Limits(max_connections=None))  #! ISO-X2
def g(s):
    options = {"base_url": s.url}
    options["timeout"] = s.t
    return AsyncClient(**options)  #! ISO-X2
def h(s): return AsyncClient(transport=httpx.AsyncHTTPTransport(limits=s.l))  #! ISO-X2
