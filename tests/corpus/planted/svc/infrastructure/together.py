import asyncio
import httpx
from aiobreaker import CircuitBreaker
from svc.adapters.outbound.sber import SberAdapter, SberSettings
from svc.adapters.outbound import crm
from svc.adapters.outbound.insurance.adapter import InsuranceAdapter
class Composition:
    def __init__(self, s):
        self._http = httpx.AsyncClient(timeout=s.t, limits=s.l)
        self.gate = asyncio.BoundedSemaphore(s.n)
    def sber(self):
        return SberAdapter(self._http)
    def crm(self):
        return crm.CrmAdapter(self._http)  #! ISO-X1
    def one(self):
        return SberAdapter(sem=self.gate)
    def two(self):
        return InsuranceAdapter(sem=self.gate)  #! ISO-X1
def by_loop(s):
    breaker = CircuitBreaker(name="all")
    return [kind(breaker) for kind in (SberAdapter, InsuranceAdapter)]  #! ISO-X1
