import aiobreaker
from aiobreaker import CircuitBreaker
breakers = {system: CircuitBreaker() for system in systems}  #! CB-X3
def make(cls=CircuitBreaker):
    return cls(fail_max=s.f)  #! CB-X3
class Adapter:
    breaker = aiobreaker.CircuitBreaker(timeout_duration=s.t)  #! CB-X3
    @aiobreaker.CircuitBreaker()  #! CB-X3
    async def call(self): ...
