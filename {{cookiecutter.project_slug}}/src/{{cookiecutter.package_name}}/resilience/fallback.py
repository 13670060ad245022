"""A fallback for a read, spelled out: of the same type, told the error it replaces, and never for money.

    suggestions = await Fallback(Suggestions).of(shop.suggestions(customer))

What may be replaced says so itself, by `in_place_of`; a Decimal, a number or None cannot, so `Fallback(Decimal)` does
not type-check (R-RES-FB-X1). A write has no fallback here: it becomes a task and 202 (R-RES-FB-1).
"""

from collections.abc import Awaitable
from decimal import Decimal
from typing import Generic, Protocol, Self, TypeVar

from .errors import PortError


class Replaceable(Protocol):
    """A type of ours whose values may be replaced while their system is away, by something that shows it."""

    @classmethod
    def in_place_of(cls, error: PortError) -> Self:
        """Return what stands in: an empty list that is marked so, the last known value with its age (R-RES-FB-2)."""
        ...


R = TypeVar("R", bound=Replaceable)


class Fallback(Generic[R]):
    """Answers a read although its system did not."""

    def __init__(self, kind: type[R]) -> None:
        """Take the type that answers.

        Raises:
            TypeError: it is money, whatever it declares (R-RES-FB-X1).
        """
        if issubclass(kind, Decimal) or "money" in kind.__name__.lower():
            raise TypeError(f"{kind.__name__} is money, and money has no fallback (R-RES-FB-X1)")
        self._kind = kind

    async def of(self, read: Awaitable[R]) -> R:
        """Return what the read returns, or what stands in for it after a `PortError`; other errors are ours and go on."""
        try:
            return await read
        except PortError as error:
            return self._kind.in_place_of(error)
