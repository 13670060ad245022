"""A fallback is explicit, typed, told the error, and never for money."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Self

import pytest

from {{ cookiecutter.package_name }}.resilience.errors import CircuitOpenError, PortError
from {{ cookiecutter.package_name }}.resilience.fallback import Fallback


@dataclass(frozen=True)
class Suggestions:
    """A read that a page can do without."""

    items: tuple[str, ...]
    missing: str = ""

    @classmethod
    def in_place_of(cls, error: PortError) -> Self:
        """No suggestions, and which system is away."""
        return cls((), missing=error.system)


class MoneyOwed(Decimal):
    """Declares what no money may declare."""

    @classmethod
    def in_place_of(cls, error: PortError) -> Self:
        """Nothing is owed, it says."""
        return cls(0)


async def answer() -> Suggestions:
    return Suggestions(("tea",))


async def refused() -> Suggestions:
    raise CircuitOpenError("shop")


async def broken() -> Suggestions:
    raise ZeroDivisionError


async def test_res_fb_1_a_read_that_works_is_not_replaced() -> None:
    assert await Fallback(Suggestions).of(answer()) == Suggestions(("tea",))


async def test_res_fb_2_what_stands_in_knows_the_error() -> None:
    assert await Fallback(Suggestions).of(refused()) == Suggestions((), missing="shop")


async def test_res_fb_2_a_defect_of_ours_is_not_replaced() -> None:
    with pytest.raises(ZeroDivisionError):
        await Fallback(Suggestions).of(broken())


def test_res_fb_x1_money_is_refused_even_where_it_declares_a_stand_in() -> None:
    with pytest.raises(TypeError, match="R-RES-FB-X1"):
        Fallback(MoneyOwed)
