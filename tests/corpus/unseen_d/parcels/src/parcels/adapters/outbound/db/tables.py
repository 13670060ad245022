from datetime import datetime

from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class BookingTask(Base):
    __tablename__ = "booking_task"
    id: Mapped[int] = mapped_column(primary_key=True)
    status: Mapped[str]
    retry_count: Mapped[int] = mapped_column(default=0)  # looks like CFG-X1
    next_attempt_at: Mapped[datetime]
    last_error: Mapped[str | None]


class ParcelRow(Base):
    __tablename__ = "parcel"
    number: Mapped[str] = mapped_column(primary_key=True)
    state: Mapped[str]
