from functools import partial
import aiobreaker
import pybreaker
from aiobreaker import CircuitBreaker as Breaker
make = partial(Breaker, fail_max=s.f)  #! CB-X3
class Breakers:
    cls = aiobreaker.CircuitBreaker
    def one(self, s):
        return self.cls(fail_max=s.f)  #! CB-X3
    def two(self, s):
        return pybreaker.CircuitBreaker(fail_max=s.f)  #! CB-X3
    def three(self, s):
        options = {"fail_max": s.f}
        return Breaker(**options)  #! CB-X3
