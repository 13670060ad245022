from aiobreaker import CircuitBreaker
class Breaker(CircuitBreaker):
    pass
def a(f): return Breaker(fail_max=f)  #! CB-X3
def b(names): return {name: CircuitBreaker(name="external") for name in names}  #! CB-X3
def c(): return CircuitBreaker(name="  ")  #! CB-X3
def d(): return CircuitBreaker(name=None or "")  #! CB-X3
def make(name): return CircuitBreaker(name=name)
sber = make("bank")
crm = make("bank")  #! CB-X3
