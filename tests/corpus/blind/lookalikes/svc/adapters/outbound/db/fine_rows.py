from sqlalchemy import select, text
class Rows:
    async def a(self, s):
        return await s.execute(select(Task).order_by(Task.created_at).limit(50))
    async def b(self, s):
        return await s.execute(text("SELECT * FROM orders WHERE status = 'PENDING' ORDER BY created_at"))
    async def c(self, s, limit):
        return await s.execute(text("SELECT pg_try_advisory_lock(1)"))
