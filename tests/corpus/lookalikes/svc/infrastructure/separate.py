import httpx
from svc.adapters.outbound.sber import SberAdapter
from svc.adapters.outbound.crm import CrmAdapter
def sber(s):
    http = httpx.AsyncClient(timeout=s.t, limits=s.l)
    return SberAdapter(http)
def crm(s):
    http = httpx.AsyncClient(timeout=s.t, limits=s.l)
    return CrmAdapter(http)
def both(s, clock, registry):
    return SberAdapter(s.sber, clock=clock, metrics=registry), CrmAdapter(s.crm, clock=clock, metrics=registry)
