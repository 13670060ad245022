import tenacity as t  #! OAS-X1
from svc.resilience.guard import Guard  #! OAS-X1
