from sqlalchemy import delete, func, select, text, update
CLAIM = """
UPDATE order_task SET claimed_by = :me
WHERE task_id IN (SELECT task_id FROM order_task WHERE status = 'PENDING' LIMIT 10 FOR NO KEY UPDATE SKIP LOCKED)
RETURNING *
"""
class Sql:
    async def a(self, s):
        return await s.execute(text(CLAIM))
    async def b(self, s, id):
        return await s.execute(update(Task).where(Task.task_id == id, Task.status == "PENDING").values(status="DONE"))
    async def c(self, s):
        return await s.execute(text("DELETE FROM order_task WHERE status = 'COMPLETED' AND finished_at < now()"))
    async def d(self, s):
        return await s.execute(select(func.min(Task.next_attempt_at)).where(Task.status == "PENDING"))
    async def e(self, s):
        return await s.execute(text("SELECT EXISTS (SELECT 1 FROM order_task WHERE status = 'PENDING')"))
    async def f(self, s, id):
        return await s.execute(text("SELECT status FROM order_task WHERE order_id = :id ORDER BY task_id DESC LIMIT 1"))
    async def g(self, s):
        return await s.execute(text("INSERT INTO order_task (status) VALUES ('PENDING') RETURNING task_id"))
