import httpx
from svc.adapters.outbound.sber import SberAdapter
from svc.adapters.outbound.mail import MailAdapter
def a(s):
    deps = {"client": httpx.AsyncClient(timeout=s.t, limits=s.l)}
    return SberAdapter(client=deps["client"]), MailAdapter(client=deps["client"])  #! ISO-X1
async def b(s):
    async with httpx.AsyncClient(timeout=s.t, limits=s.l) as http:
        sber = SberAdapter(http, s.sber)
        mail = MailAdapter(http, s.mail)  #! ISO-X1
        yield sber, mail
