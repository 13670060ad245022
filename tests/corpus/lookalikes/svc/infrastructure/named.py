import aiobreaker
from aiobreaker import CircuitBreaker
def a(system, s):
    return aiobreaker.CircuitBreaker(s.fail_max, s.open, name=system.name)
sber = CircuitBreaker(name="sber")
crm = CircuitBreaker(name="crm")
class State(Enum):
    CIRCUIT_BREAKER = "CircuitBreaker()"
