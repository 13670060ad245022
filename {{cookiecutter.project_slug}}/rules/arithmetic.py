"""Values and what Python does with them: arithmetic, extremes, items, texts; UNKNOWN where source does not tell."""

import ast
import itertools
import operator
from collections.abc import Callable, Iterable
from datetime import timedelta
from decimal import Decimal, InvalidOperation

CANDIDATES = 32  # more values than this for one expression are not followed
HOLE = "{}"  # stands in a text for a part that source does not show


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()

Candidates = list[object]
ARITHMETIC: dict[type[ast.operator], Callable[[object, object], object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


def applied(step: Callable[[object, object], object] | None, left: object, right: object) -> Candidates:
    if isinstance(left, str) and step is operator.add:
        return [left + (right if isinstance(right, str) else HOLE)]
    if isinstance(right, str) and step is operator.add:
        return [HOLE + right]
    if step is None or UNKNOWN in (left, right):
        return [UNKNOWN]
    if step is operator.pow and not (isinstance(right, (int, float)) and abs(right) <= 64):
        return [UNKNOWN]
    if step is operator.mul and not (
        isinstance(left, (int, float, timedelta)) and isinstance(right, (int, float, timedelta))
    ):
        return [UNKNOWN]
    try:
        return [step(left, right)]
    except (TypeError, ValueError, ArithmeticError):
        return [UNKNOWN]


def extreme(which: str, arguments: list[Candidates]) -> Candidates:
    """`max(unknown, 8)` is 8 at least; `min(unknown, 60)` can be anything below."""
    if len(arguments) == 1:
        arguments = [[item] for value in arguments[0] for item in items_of(value)]
    found: Candidates = []
    for values in itertools.islice(itertools.product(*arguments), CANDIDATES):
        numbers = [v for v in values if isinstance(v, (int, float))]
        if which == "max" and numbers:
            found.append(max(numbers))
        elif which == "min" and numbers and len(numbers) == len(values):
            found.append(min(numbers))
        else:
            found.append(UNKNOWN)
    return found


def summed(value: object) -> object:
    numbers = [v for v in items_of(value) if isinstance(v, (int, float))]
    return sum(numbers) if isinstance(value, (tuple, range)) and len(numbers) == len(value) else UNKNOWN


def by_chance(which: str, arguments: list[Candidates]) -> Candidates:
    """The two ends of what chance can give."""
    if which == "random":
        return [0.0, 1.0]
    if which in ("uniform", "randint", "triangular"):
        return [v for values in arguments[:2] for v in values]
    return [
        item for value in (arguments[0] if which == "choice" and arguments else []) for item in items_of(value)
    ] or [UNKNOWN]


def as_number(which: str, value: object) -> object:
    if which == "Decimal" and isinstance(value, (int, float, str)):
        try:
            return Decimal(value)
        except InvalidOperation:
            return UNKNOWN
    if isinstance(value, (int, float, str)):
        try:
            number = float(value)
        except ValueError:
            return UNKNOWN
        return abs(number) if which == "abs" else number
    return UNKNOWN


def by_method(what: str, value: object) -> object:
    if isinstance(value, timedelta) and what == "total_seconds":
        return value.total_seconds()
    if isinstance(value, str) and what in ("strip", "lower", "upper"):
        return {"strip": value.strip(), "lower": value.lower(), "upper": value.upper()}[what]
    if isinstance(value, dict):
        if what == "copy":
            return value
        parts: dict[str, Candidates] = {"values": [*value.values()], "keys": [*value.keys()], "items": [*value.items()]}
        return tuple(parts.get(what, []))
    return UNKNOWN


def elements(values: Candidates, position: int | None) -> Candidates:
    return [item_of(v, position) for v in values]


def item_of(box: object, key: object) -> object:
    if isinstance(box, dict) and key is not UNKNOWN:
        return box.get(key, UNKNOWN) if isinstance(key, (str, int, float)) else UNKNOWN
    if isinstance(box, (tuple, range)) and isinstance(key, int) and -len(box) <= key < len(box):
        return box[key]
    return UNKNOWN


def items_of(value: object) -> Candidates:
    if isinstance(value, (tuple, range)):
        return list(itertools.islice(value, CANDIDATES))
    return list(value) if isinstance(value, dict) else [UNKNOWN]


def with_holes(text: str) -> str:
    for code in ("%s", "%d", "%r"):
        text = text.replace(code, HOLE)
    return text


def single(values: Candidates) -> object:
    """The single value; where there are several numbers, the largest."""
    if len(values) == 1:
        return values[0]
    numbers = [v for v in values if isinstance(v, (int, float))]
    return max(numbers) if numbers and len(numbers) == len(values) else UNKNOWN


def few(values: Iterable[object]) -> Candidates:
    found: Candidates = []
    for value in values:
        if not any(value is f or (type(value) is type(f) and value == f) for f in found):
            found.append(value)
        if len(found) > CANDIDATES:
            return found[:CANDIDATES]
    return found or [UNKNOWN]
