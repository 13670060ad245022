import httpx
from aiobreaker import CircuitBreaker
from svc.adapters.outbound.sber import SberAdapter
from svc.adapters.outbound.crm import CrmAdapter
def by_mapping(s):
    http = httpx.AsyncClient(timeout=s.t, limits=s.l)
    return {
        "sber": SberAdapter(http),
        "crm": CrmAdapter(http),  #! ISO-X1
    }
def by_alias(s):
    breaker = CircuitBreaker(name="both")
    same = breaker
    return SberAdapter(breaker=breaker), CrmAdapter(breaker=same)  #! ISO-X1
