import backoff
from sqlalchemy import func, or_, select, text
from hub.core.retrying import backing
class OrderRepo:
    @backing  #! WHERE-X1
    async def get(self, order_id):
        return await self.session.get(Order, order_id)
    async def due(self):
        stmt = select(Job).where(or_(Job.locked_until.is_(None), Job.locked_until < func.now()), Job.status == "new")  #! ASYNC-1-SQL
        stmt = stmt.order_by(Job.id).limit(20)
        return (await self.session.scalars(stmt)).all()
    async def claim(self):
        sql = """
            UPDATE jobs SET status = 'running', started_at = now()
            WHERE id = (SELECT id FROM jobs WHERE status = 'new' ORDER BY id LIMIT 1)
            RETURNING id
        """
        return (await self.session.execute(text(sql))).first()  #! ASYNC-1-SQL
    async def oldest(self):
        return await self.session.scalar(select(Job).where(Job.state == JobState.WAITING).order_by(Job.created).limit(1).with_for_update())  #! ASYNC-1-SQL
