from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol


class PaymentsUnavailable(Exception):
    pass


@dataclass(frozen=True)
class Money:
    amount: Decimal
    currency: str


@dataclass(frozen=True)
class PaymentReceipt:
    payment: str
    status: str


class Payments(Protocol):
    async def cached_balance(self, customer: str) -> Money: ...

    async def capture_later(self, payment: str, key: str) -> PaymentReceipt: ...
