import redis.asyncio as redis
class Store:
    def __init__(self, client: redis.Redis, session: Session):
        self._client = client
        self.session = session
    async def a(self):
        return await self._client.get("x")
    async def b(self):
        await self.session.delete(self.row)
        return await self.session.get(Row, 1)
