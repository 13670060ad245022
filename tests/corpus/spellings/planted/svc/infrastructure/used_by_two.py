from aiobreaker import CircuitBreaker
breaker = CircuitBreaker(name="external")
class SberAdapter:
    @breaker
    async def pay(self): ...
class CrmAdapter:
    @breaker  #! ISO-X1
    async def find(self): ...
