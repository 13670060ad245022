from svc.adapters.outbound.crm import generated
from svc.adapters.outbound.crm.generated.api import OrdersApi
from tenacity import retry
def a(s):
    api = OrdersApi()
    api.create = retry(wait=s.w, retry=s.r)(api.create)  #! OAS-X1
class Orders(OrdersApi):
    @retry(wait=w(), retry=r())  #! OAS-X1
    async def get(self, id): ...
OrdersApi.cancel = lambda self: None  #! OAS-X1
setattr(generated.api, "send", print)  #! OAS-X1
