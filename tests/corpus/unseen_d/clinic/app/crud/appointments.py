from __future__ import annotations

import stamina
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, declarative_base, mapped_column

Base = declarative_base()


class Appointment(Base):
    __tablename__ = "appointments"
    id: Mapped[int] = mapped_column(primary_key=True)
    patient: Mapped[int]
    state: Mapped[str]


class ReminderTask(Base):
    __tablename__ = "reminder_task"
    id: Mapped[int] = mapped_column(primary_key=True)
    status: Mapped[str]


class AppointmentRepository:
    def __init__(self, db: AsyncSession) -> None:
        self.db = db

    @stamina.retry(on=OperationalError)  #! WHERE-X1
    async def list_for(self, patient: int) -> list[Appointment]:
        rows = await self.db.execute(select(Appointment).where(Appointment.patient == patient))
        return list(rows.scalars())

    async def waiting(self, patient: int) -> list[Appointment]:
        stmt = select(Appointment).where(Appointment.patient == patient, Appointment.state == "CONFIRMED")  # looks like ASYNC-1-SQL
        return list(await self.db.scalars(stmt))

    async def confirm(self, id: int) -> None:
        await self.db.execute(update(Appointment).where(Appointment.id == id).values(state="CONFIRMED"))

    async def get(self, id: int) -> Appointment | None:
        return await self.db.get(Appointment, id)  # looks like ASYNC-3


class ReminderRepository:
    def __init__(self, db: AsyncSession) -> None:
        self.db = db

    async def next_batch(self, size: int) -> list[ReminderTask]:
        stmt = (
            select(ReminderTask)  #! ASYNC-1-SQL
            .where(ReminderTask.status.in_(["PENDING", "RETRY"]))
            .order_by(ReminderTask.id)
            .limit(size)
            .with_for_update(nowait=True)
        )
        return list(await self.db.scalars(stmt))

    async def one(self, id: int) -> ReminderTask | None:
        stmt = select(ReminderTask).where(ReminderTask.id == id).with_for_update()  # looks like ASYNC-1-SQL
        return await self.db.scalar(stmt)

    async def retry(self, id: int) -> None:  # looks like WHERE-X1
        await self.db.execute(update(ReminderTask).where(ReminderTask.id == id).values(status="PENDING"))
