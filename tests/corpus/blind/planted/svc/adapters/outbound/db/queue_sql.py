from sqlalchemy import text, select, and_
import textwrap
SQL = textwrap.dedent("""
    SELECT id FROM mail_task
    WHERE status = 'PENDING'
    LIMIT 5
    FOR UPDATE
""")
class Q:
    async def a(self, s):
        return await s.execute(text(SQL))  #! ASYNC-1-SQL
    async def b(self, s):
        return await s.execute(select(Task).where(and_(Task.status == "PENDING", Task.next_attempt_at <= now)).limit(5))  #! ASYNC-1-SQL
    async def c(self, s):
        sql = "SELECT id FROM mail_task"
        sql += " WHERE status = 'PENDING'"
        sql += " LIMIT 5 FOR UPDATE"
        return await s.execute(text(sql))  #! ASYNC-1-SQL
    async def d(self, conn):
        return await conn.fetch("SELECT id FROM mail_task WHERE status = $1 AND next_attempt_at <= now() LIMIT 5", "PENDING")  #! ASYNC-1-SQL
    async def e(self, s):
        return await s.execute(select(Task).filter(Task.status.in_(["PENDING", "IN_PROGRESS"])).limit(5).with_for_update())  #! ASYNC-1-SQL
    async def f(self, s):
        return await s.execute(text("SELECT id FROM mail_task WHERE status = :status LIMIT 5 FOR UPDATE"), {"status": "PENDING"})  #! ASYNC-1-SQL
