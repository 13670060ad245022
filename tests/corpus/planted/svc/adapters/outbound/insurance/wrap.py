from svc.adapters.outbound.insurance import generated
from svc.adapters.outbound.insurance.generated.sdk import Sdk
import svc.adapters.outbound.insurance.generated.sdk as sdk
generated.sdk.Sdk.send = retry(generated.sdk.Sdk.send)  #! OAS-X1
sdk.send = breaker(sdk.send)  #! OAS-X1
for name in ("get", "post"):
    setattr(Sdk, name, guard(getattr(Sdk, name)))  #! OAS-X1
