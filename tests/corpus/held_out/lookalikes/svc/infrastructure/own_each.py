import asyncio
from svc.adapters.outbound.sber import SberAdapter
from svc.adapters.outbound.crm import CrmAdapter
def build(s):
    client = make(s.sber)
    sber = SberAdapter(client)
    client = make(s.crm)
    crm = CrmAdapter(client)
    return sber, crm
