from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation


class UnreadableAmount(ValueError):
    pass


@dataclass(frozen=True)
class Money:
    amount: Decimal
    currency: str

    @classmethod
    def zero(cls, currency: str) -> Money:
        return cls(Decimal("0"), currency)  # looks like FB-X1: a constructor, nothing failed

    def __add__(self, other: Money) -> Money:
        if other.currency != self.currency:
            raise ValueError("currencies differ")
        return Money(self.amount + other.amount, self.currency)


def total(parts: list[Money], currency: str) -> Money:
    running = Money.zero(currency)  # looks like FB-X1: the start of a sum
    for part in parts:
        running = running + part
    return running


def parse_amount(raw: str, currency: str) -> Money:
    try:
        return Money(Decimal(raw), currency)
    except InvalidOperation as error:  # looks like FB-X1: the error goes on
        raise UnreadableAmount(raw) from error
