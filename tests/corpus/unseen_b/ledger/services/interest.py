"""Interest and rounding: local, without any system outside."""
import contextlib
import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation

HOLD = timedelta(days=3)
RATE = Decimal("0.015")
MAX_ROUNDS = 5


@dataclass
class Retry:
    """A second reading of a cheque by hand."""

    cheque: str
    attempt: int = 1
    max_attempts: int = 3


class Timer:
    def __init__(self) -> None:
        self.timeout = None
        self.started = time.monotonic()

    def elapsed(self) -> float:
        return time.monotonic() - self.started


def interest(amount: Decimal, days: int) -> Decimal:
    if days <= 0:
        return Decimal("0")
    return (amount * RATE * days / 365).quantize(Decimal("0.01"), ROUND_HALF_EVEN)


def parse(raw: str) -> Decimal:
    try:
        return Decimal(raw)
    except InvalidOperation:
        raise ValueError(raw) from None


def net(lines: Iterable[Decimal]) -> Decimal:
    total = Decimal(0)
    for line in lines:
        total += line
    return total


def find(accounts: dict[str, Decimal], name: str) -> Decimal | None:
    return accounts.get(name)


def allocate(amount: int, parts: int) -> list[int]:
    share, rest = divmod(amount, parts)
    return [share + (i < rest) for i in range(parts)]


def converge(guess: float, target: float) -> float:
    for _ in range(MAX_ROUNDS):
        guess = (guess + target / guess) / 2
    return guess


def unique_number(taken: set[str]) -> str:
    while True:
        number = f"{random.randrange(10**8):08d}"
        if number not in taken:
            return number


@contextlib.contextmanager
def measured(log: dict[str, float], name: str) -> Iterator[None]:
    timer = Timer()
    try:
        yield
    finally:
        log[name] = timer.elapsed()
