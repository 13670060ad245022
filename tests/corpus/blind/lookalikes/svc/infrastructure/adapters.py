from svc.adapters.outbound.sber import SberAdapter
from svc.adapters.outbound.mail import MailAdapter
def build(systems, logger, tracer):
    return SberAdapter(systems["sber"], logger, tracer), MailAdapter(systems["mail"], logger, tracer)
def per_system(make):
    out = []
    for kind in (SberAdapter, MailAdapter):
        client = make(kind)
        out.append(kind(client))
    return out
