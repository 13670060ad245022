from sqlalchemy import select, text
class Reads:
    async def a(self, s, id):
        return await s.execute(text("SELECT status FROM order_task WHERE task_id = :id"))
    async def b(self, s):
        return await s.execute(text("SELECT status, count(*) FROM order_task WHERE status = 'PENDING' GROUP BY status"))
    async def c(self, s):
        stmt = select(Task).where(Task.status == "PENDING").limit(10)
        stmt = stmt.with_for_update(skip_locked=True)
        return await s.execute(stmt)
    async def d(self, s):
        return await s.execute(select(Order).where(Order.status == "PENDING", Order.id == 1))
