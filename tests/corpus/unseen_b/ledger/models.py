"""Tables of the ledger."""
from decimal import Decimal
from uuid import UUID

from sqlalchemy import Numeric, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Entry(Base):
    __tablename__ = "entry"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    account: Mapped[UUID]
    amount: Mapped[Decimal] = mapped_column(Numeric(14, 2), default=Decimal("0"))
    status: Mapped[str] = mapped_column(String(10), default="BOOKED")


class TransferTask(Base):
    __tablename__ = "transfer_task"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    account: Mapped[UUID]
    iban: Mapped[str]
    cents: Mapped[int]
    key: Mapped[str | None]
    status: Mapped[str] = mapped_column(String(10), default="PENDING")
    retry_count: Mapped[int] = mapped_column(default=0)
