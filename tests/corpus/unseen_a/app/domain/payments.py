from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from uuid import UUID


class PaymentStatus(str, Enum):
    PENDING = "pending"
    PAID = "paid"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class Money:
    amount: Decimal
    currency: str = "EUR"

    @classmethod
    def zero(cls, currency: str = "EUR") -> "Money":
        return cls(Decimal(0), currency)


@dataclass(frozen=True, slots=True)
class Payment:
    id: UUID
    status: PaymentStatus
    amount: Decimal


class PaymentsUnavailable(Exception):
    """The acquiring bank cannot be reached."""


class RatesUnavailable(Exception):
    """No rate can be had at the moment."""


class CourierUnavailable(Exception):
    """The courier does not answer."""
