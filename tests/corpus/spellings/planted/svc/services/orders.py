from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from svc.adapters.outbound.crm.generated import models  #! OAS-X3
