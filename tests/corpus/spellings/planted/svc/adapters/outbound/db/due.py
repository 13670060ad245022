from sqlalchemy import select, text, update
OPEN = ("PENDING", "RETRY")
class Rows:
    async def a(self, s):
        return await s.execute(text("SELECT id FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT 100"))  #! ASYNC-1-SQL
    async def b(self, s):
        return await s.execute(select(Job).where(Job.status.in_(OPEN)).order_by(Job.id).limit(5))  #! ASYNC-1-SQL
    async def c(self, s):
        return await s.execute(select(Job).where(Job.status == Status.PENDING.value).with_for_update(nowait=True))  #! ASYNC-1-SQL
    async def d(self, s):
        return await s.execute(select(Job).where(Job.next_retry_at <= now()).limit(5))  #! ASYNC-1-SQL
    async def e(self, s):
        return await s.execute(text("UPDATE jobs SET status = 'RUNNING' WHERE id IN (SELECT id FROM jobs WHERE status = 'PENDING' LIMIT 5) RETURNING id"))  #! ASYNC-1-SQL
    async def f(self, s):
        return await s.execute(update(Job).where(Job.status == "PENDING").values(status="RUNNING").returning(Job.id))  #! ASYNC-1-SQL
    async def g(self, s, table):
        return await s.execute(text(f"SELECT id FROM {table} WHERE retry_at < now() LIMIT 10"))  #! ASYNC-1-SQL
    async def h(self, s):
        return await s.execute(select(Outbox).where(Outbox.sent_at.is_(None)).limit(50))  #! ASYNC-1-SQL
    async def i(self, s):
        return await s.execute(text("SELECT id FROM jobs WHERE processed = FALSE ORDER BY id LIMIT 5 FOR UPDATE NOWAIT"))  #! ASYNC-1-SQL
    async def j(self):
        return await Job.filter(status="PENDING").select_for_update().limit(5)  #! ASYNC-1-SQL
