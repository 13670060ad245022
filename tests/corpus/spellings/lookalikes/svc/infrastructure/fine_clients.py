import functools
import httpx
from svc.adapters.outbound.crm import CrmAdapter
from svc.adapters.outbound.sber import SberAdapter
class CrmClient(httpx.AsyncClient):
    def __init__(self, s):
        super().__init__(timeout=s.t, limits=s.l)
def a(s): return CrmClient(s)
def b(s):
    options = {"base_url": s.url}
    options["timeout"] = s.t
    options.update(limits=s.l)
    return httpx.AsyncClient(**options)
def client(s): return httpx.AsyncClient(timeout=s.t, limits=s.l)
def c(s): return SberAdapter(client(s.sber)), CrmAdapter(client(s.crm))
def d(app): return SberAdapter(app.state.sber_http), CrmAdapter(app.state.crm_http)
def e(makers): return [kind(make()) for kind, make in makers.items()]
