from svc.adapters.outbound.sber import SberAdapter
def build(client, settings):
    submit = SberAdapter(client, settings)
    poll = SberAdapter(client, settings)
    return submit, poll
