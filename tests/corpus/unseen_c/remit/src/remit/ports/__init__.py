from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from remit.domain.money import Money


class LedgerUnavailable(Exception):
    def __init__(self, retry_after_s: float) -> None:
        super().__init__("ledger unavailable")
        self.retry_after_s = retry_after_s


class FxUnavailable(Exception):
    pass


class PayoutsUnavailable(Exception):
    pass


class ScreeningUnavailable(Exception):
    pass


@dataclass(frozen=True)
class Account:
    id: str
    balance: Money


@dataclass(frozen=True)
class Verdict:
    reference: str
    final: bool
    clean: bool


class LedgerPort(Protocol):
    async def account(self, account_id: str) -> Account: ...

    async def post_entry(self, account_id: str, amount: Money, key: str) -> str: ...


class FxPort(Protocol):
    async def quote(self, source: Money, target: str) -> Money: ...


class ScreeningPort(Protocol):
    async def verdict(self, reference: str) -> Verdict: ...

    async def names(self, country: str) -> Sequence[str]: ...
