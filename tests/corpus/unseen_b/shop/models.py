"""Mapped classes."""
from datetime import datetime

from sqlalchemy import String, func
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class MailTask(Base):
    __tablename__ = "mail_task"

    id: Mapped[int] = mapped_column(primary_key=True)
    status: Mapped[str] = mapped_column(String(10), default="new")
    tries: Mapped[int] = mapped_column(default=0)
    due: Mapped[datetime] = mapped_column(server_default=func.now())
    last_error: Mapped[str | None]


class Customer(Base):
    __tablename__ = "customer"

    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str]
    timeout_minutes: Mapped[int] = mapped_column(default=30)
