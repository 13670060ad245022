class OrderRepository:
    async def retry(self, id):
        return await self.session.scalar(q)
    async def open(self):
        async with self.session.begin():
            return await self.session.scalar(q)
    @property
    def breaker_name(self):
        return self._name
    @staticmethod
    def retry_after(row):
        return row.retry_after
