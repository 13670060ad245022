class Breakers:
    async def save(self, breaker):
        await self.session.execute(insert(breaker))
    async def retry_count(self, id):
        return await self.session.scalar(q)
