from sqlalchemy import select, text, update
import sqlalchemy
CLAIM = "UPDATE order_task SET status = 'IN_PROGRESS' WHERE id IN (SELECT id FROM order_task WHERE status = 'PENDING' LIMIT 10 FOR UPDATE) RETURNING id"
UNUSED = (  #! ASYNC-1-SQL
    """
SELECT id FROM policy_task
WHERE status = 'PENDING'
ORDER BY next_attempt_at
LIMIT 10 FOR UPDATE
"""
)
class Due:
    STATEMENT = "SELECT * FROM outbox WHERE next_attempt_at < now() ORDER BY id LIMIT 10"
    async def a(self, c):
        return await c.fetch(CLAIM)  #! ASYNC-1-SQL
    async def b(self, s):
        return await s.execute(text(self.STATEMENT))  #! ASYNC-1-SQL
    async def c(self, s):
        return await s.execute(text("SELECT id FROM %s WHERE status = 'PENDING' LIMIT 5" % self.table))  #! ASYNC-1-SQL
    async def d(self, s):
        return await s.execute(text(" ".join(["SELECT id FROM order_task", "WHERE status = 'PENDING'", "LIMIT 5"])))  #! ASYNC-1-SQL
    async def e(self, s):
        return await s.scalars(select(Task).filter_by(status="PENDING").with_for_update(nowait=True).limit(1))  #! ASYNC-1-SQL
    async def f(self, s):
        return await s.scalars(select(Task).where(Task.c.status == Status.PENDING).limit(1).with_for_update(skip_locked=False))  #! ASYNC-1-SQL
    async def g(self, s):
        table = sqlalchemy.Table("order_task", metadata)
        return await s.execute(sqlalchemy.select(table.c.id).where(table.c.next_attempt_at <= now).limit(50))  #! ASYNC-1-SQL
