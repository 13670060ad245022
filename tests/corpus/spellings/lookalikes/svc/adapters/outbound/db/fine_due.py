from sqlalchemy import select, text, update
class Rows:
    async def a(self, s): return await s.execute(text("SELECT id FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED"))
    async def b(self, s): return await s.execute(select(Job).where(Job.next_retry_at <= now()).limit(5).with_for_update(skip_locked=True))
    async def c(self, s): return await s.execute(select(User).where(User.deleted_at.is_(None)).limit(50))
    async def d(self, s): return await s.execute(text("SELECT count(*) FROM outbox WHERE published_at IS NULL"))
    async def e(self, s, page): return await s.execute(select(Order).where(Order.status == "NEW").offset(page * 50).limit(50))
    async def f(self, s): return await s.execute(update(Job).where(Job.id == 1).values(status="DONE").returning(Job.id))
    async def g(self, s):
        rows = await s.execute(select(Job).where(Job.status == "PENDING").limit(5).with_for_update(**{"skip_locked": True}))
        return rows
