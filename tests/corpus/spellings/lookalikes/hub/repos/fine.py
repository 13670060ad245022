from sqlalchemy import select, text
class FineRepo:
    async def by_status(self, status, page, size):
        return await self.session.scalars(select(Order).where(Order.status == status).limit(size).offset(page * size))
    async def latest(self, customer_id):
        return await self.session.scalar(select(Order).where(Order.customer_id == customer_id, Order.status == "new").order_by(Order.id.desc()).limit(1))
    async def claim(self):
        return await self.session.execute(text("UPDATE jobs SET status='running' WHERE id IN (SELECT id FROM jobs WHERE status='new' LIMIT 5 FOR UPDATE SKIP LOCKED) RETURNING id"))
