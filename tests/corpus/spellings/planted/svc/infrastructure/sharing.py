import asyncio
import functools
import httpx
from aiobreaker import CircuitBreaker
from svc.adapters.outbound.crm import CrmAdapter
from svc.adapters.outbound.sber import SberAdapter
GATE = asyncio.Semaphore(10)  #! CFG-X1
breaker = CircuitBreaker(name="all")
@functools.cache
def client(): return httpx.AsyncClient(timeout=t, limits=l)
def one():
    return SberAdapter(client()), CrmAdapter(client())  #! ISO-X1
def two(app):
    sber = SberAdapter(app.state.http)
    crm = CrmAdapter(app.state.http)  #! ISO-X1
    return sber, crm
def three(http):
    return [kind(http) for kind in (SberAdapter, CrmAdapter)]  #! ISO-X1
KINDS = {"sber": SberAdapter, "crm": CrmAdapter}
def four(http):
    return {name: kind(http) for name, kind in KINDS.items()}  #! ISO-X1
def five(http):
    return functools.partial(SberAdapter, client=http), functools.partial(CrmAdapter, client=http)  #! ISO-X1
def six(s):
    options = {"client": httpx.AsyncClient(timeout=s.t, limits=s.l)}
    return SberAdapter(**options), CrmAdapter(**options)  #! ISO-X1
