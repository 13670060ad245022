"""Between the tax office's DTOs and our types."""
from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from app.adapters.outbound.scoring.generated.models import LimitDto, ScoreReportDto


@dataclass(frozen=True)
class Limit:
    amount: Decimal
    currency: str


@dataclass(frozen=True)
class Report:
    band: str
    reason: str


def limit_from_dto(dto: LimitDto) -> Limit:
    return Limit(Decimal(dto.amount), dto.currency)


def report_from_dto(dto: ScoreReportDto) -> Report:
    return Report(dto.band, dto.reason)


def discount(prices: dict[str, Decimal], code: str) -> Decimal:
    """A code that does not exist gives no discount: that is the rule of the shop, not a failure."""
    try:
        return prices[code]
    except KeyError:
        return Decimal("0")


def amount_or_none(raw: dict[str, Any]) -> Decimal | None:
    value = raw.get("amount")
    return Decimal(value) if value is not None else None


def subtotal(lines: list[dict[str, Any]]) -> Decimal:
    total = Decimal("0")
    for line in lines:
        total += Decimal(line["price"]) * line["count"]
    return total


def parse_flag(raw: str) -> bool:
    try:
        return bool(int(raw))
    except ValueError:
        return raw.strip().lower() in {"yes", "true"}
