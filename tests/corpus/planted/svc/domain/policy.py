from svc.adapters.outbound.insurance.generated import models  #! OAS-X3
