from ..adapters.outbound.crm.generated.models import Customer  #! OAS-X3
