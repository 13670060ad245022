import sqlalchemy as sa
from sqlalchemy import select, update
from sqlalchemy.sql import text as sql
WHERE = "WHERE next_attempt_at <= now() AND status IN ('PENDING', 'IN_PROGRESS')"
class Claims:
    async def a(self, c):
        return await c.fetch("SELECT * FROM receipt_task " + WHERE + " FOR UPDATE LIMIT 20")  #! ASYNC-1-SQL
    async def b(self, s):
        return await s.execute(sql("SELECT id FROM {} WHERE status = 'PENDING' LIMIT 5 FOR UPDATE".format(self.table)))  #! ASYNC-1-SQL
    async def c(self, s):
        query = s.query(Job).filter_by(status="PENDING").with_for_update().first()  #! ASYNC-1-SQL
        return query
    async def d(self, s):
        due = select(Job.id).where(Job.run_at <= sa.func.now(), Job.status == "queued").limit(10)  #! ASYNC-1-SQL
        return await s.scalars(due)
