from aiobreaker import CircuitBreaker
class Named(CircuitBreaker):
    def __init__(self, name, s):
        super().__init__(fail_max=s.f, name=name)
def build(names, s):
    return {n: CircuitBreaker(name=f"{n}", fail_max=s.f) for n in names}
