import backoff
from tenacity import AsyncRetrying, retry
policy = retry(wait=w(), retry=r())
class Orders:
    @backoff.on_exception(backoff.expo, OSError)  #! WHERE-X1
    async def load(self, id):
        return await self.session.get(Order, id)
    @policy  #! WHERE-X1
    async def save(self, order):
        self.session.add(order)
    async def total(self):
        return await AsyncRetrying(wait=w(), retry=r())(self.session.scalar, q)  #! WHERE-X1
    async def count(self):
        async with self.circuit_breaker:  #! WHERE-X1
            return await self.session.scalar(q)
