from functools import partial
import httpx
def a(s):
    return httpx.AsyncClient(timeout=httpx.Timeout(connect=s.c, read=s.r, write=s.w, pool=s.p), limits=httpx.Limits(max_connections=s.n))
make = partial(httpx.AsyncClient, timeout=s.timeout, limits=s.limits)
class Own(httpx.AsyncClient):
    def __init__(self, s):
        super().__init__(timeout=s.timeout, limits=s.limits)
def b(s):
    options = dict(timeout=s.timeout, limits=s.limits, base_url=s.base_url)
    return httpx.AsyncClient(**options)
def c(**options):
    return httpx.AsyncClient(**options)
