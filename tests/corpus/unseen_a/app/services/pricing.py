"""Local rules; words like retry and breaker appear here, the patterns do not."""
from __future__ import annotations

import asyncio
import logging
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

logger = logging.getLogger(__name__)


@dataclass
class CircuitBreakerPanel:
    """A product: fuses and breakers for homes."""

    name: str
    amperes: int = 16
    price: Decimal = Decimal("129.00")


@dataclass
class FailureStatistics:
    failures: int = 0
    successes: int = 0
    by_code: Counter[str] = field(default_factory=Counter)

    def record(self, code: str | None) -> None:
        if code is None:
            self.successes += 1
        else:
            self.failures += 1
            self.by_code[code] += 1

    @property
    def share(self) -> float:
        total = self.failures + self.successes
        return self.failures / total if total else 0.0


class LoginAttempts:
    """Locks an account after too many wrong passwords."""

    def __init__(self, allowed: int) -> None:
        self._allowed = allowed
        self._wrong: dict[str, int] = {}

    def wrong(self, account: str) -> bool:
        self._wrong[account] = self._wrong.get(account, 0) + 1
        return self._wrong[account] >= self._allowed

    def right(self, account: str) -> None:
        self._wrong.pop(account, None)


def parse_price(raw: str) -> Decimal:
    try:
        return Decimal(raw.replace(",", "."))
    except InvalidOperation as exc:
        raise ValueError(f"not a price: {raw!r}") from exc


def discount(total: Decimal, percent: int = 5) -> Decimal:
    return total * percent / 100


def shipping(total: Decimal, free_from: Decimal = Decimal("50")) -> Decimal:
    if total >= free_from:
        return Decimal("0")
    return Decimal("4.90")


async def price_all(skus: list[str], limit: int) -> dict[str, Decimal]:
    prices: dict[str, Decimal] = {}
    for number, sku in enumerate(skus[:limit]):
        prices[sku] = parse_price(sku.rsplit("-", 1)[-1])
        if number % 500 == 0:
            await asyncio.sleep(0)
    return prices


def lookup(catalogue: dict[str, Decimal], sku: str) -> Decimal | None:
    logger.debug("lookup %s", sku)
    return catalogue.get(sku)
