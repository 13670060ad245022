"""Tables."""
from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID, uuid4

from sqlalchemy import BigInteger, ForeignKey, LargeBinary, Numeric, String, Text, func
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class TaskMixin:
    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid4)
    status: Mapped[str] = mapped_column(String(20), default="PENDING", index=True)
    retry_count: Mapped[int] = mapped_column(default=0)
    next_attempt_at: Mapped[datetime] = mapped_column(server_default=func.now())
    lease_until: Mapped[datetime | None]
    last_error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class ExportTask(TaskMixin, Base):
    __tablename__ = "export_task"
    kind: Mapped[str] = mapped_column(String(20))
    since: Mapped[date | None]
    until: Mapped[date | None]
    note: Mapped[str | None]
    source: Mapped[UUID | None] = mapped_column(ForeignKey("export_task.id"))


class CourierTask(TaskMixin, Base):
    __tablename__ = "courier_task"
    parcel_id: Mapped[str] = mapped_column(String(40))


class RefundTask(TaskMixin, Base):
    __tablename__ = "refund_task"
    amount: Mapped[Decimal] = mapped_column(Numeric(12, 2))


class VerificationTask(TaskMixin, Base):
    __tablename__ = "verification_task"
    person_id: Mapped[str] = mapped_column(String(40))
    verdict: Mapped[str | None]


class OutboxMessage(Base):
    __tablename__ = "outbox"
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    topic: Mapped[str]
    payload: Mapped[bytes] = mapped_column(LargeBinary)
    status: Mapped[str] = mapped_column(String(10), default="NEW")


class PaymentRow(Base):
    __tablename__ = "payment"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    order_id: Mapped[UUID]
    customer_id: Mapped[UUID]
    status: Mapped[str] = mapped_column(String(10))
    receipt: Mapped[bytes | None] = mapped_column(LargeBinary)
