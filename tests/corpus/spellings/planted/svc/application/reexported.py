from svc.adapters.outbound.crm import OrderDto  #! OAS-X3
