import aiobreaker
from aiobreaker import CircuitBreaker
NAME = ""
Kind = CircuitBreaker
a = Kind()  #! CB-X3
b = CircuitBreaker(name=NAME)  #! CB-X3
class Own(CircuitBreaker):
    def __init__(self, s):
        super().__init__(fail_max=s.f)  #! CB-X3
def c(breaker=CircuitBreaker()):  #! CB-X3
    return breaker
sber = CircuitBreaker(name="shared")
crm = CircuitBreaker(name="shared")  #! CB-X3
