from svc.infrastructure.breakers import breaker, retrying
class SberFacade:
    async def a(self, order):
        return await breaker.call_async(self._repository.save, order)  #! WHERE-X1
    async def b(self, order):
        return await breaker.call(lambda: self._session.flush())  #! WHERE-X1
