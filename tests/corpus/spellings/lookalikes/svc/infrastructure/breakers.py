from aiobreaker import CircuitBreaker
def make(name): return CircuitBreaker(name=name)
sber, crm = make("sber"), make("crm")
def each(names): return {name: CircuitBreaker(name=f"{name}-http") for name in names}
class SberAdapter:
    breaker = make("sber-2")
    @breaker
    async def pay(self): ...
    @breaker
    async def refund(self): ...
