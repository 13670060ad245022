"""What a call gives: built-in functions, `timedelta`, methods of texts and mappings, helpers, fields with defaults."""

import ast
import math
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from .arithmetic import (
    ARITHMETIC,
    HOLE,
    UNKNOWN,
    Candidates,
    applied,
    as_number,
    by_chance,
    by_method,
    extreme,
    item_of,
    items_of,
    summed,
)
from .syntax import argument, keyword, last_name

if TYPE_CHECKING:
    from .values import Values

PASSING = {"textwrap.dedent", "inspect.cleandoc", "sqlalchemy.text", "copy.copy", "copy.deepcopy", "str"}
KEEPING = {"tuple", "list", "set", "frozenset", "sorted", "text", "MappingProxyType", "cycle", "chain", "reversed"}
ROUNDING: dict[str, Callable[[float], float]] = {
    "ceil": math.ceil,
    "floor": math.floor,
    "trunc": math.trunc,
    "fabs": math.fabs,
    "sqrt": math.sqrt,
}
FIELDS = ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks")
ENVIRONMENT = {"os.getenv", "os.environ.get", "environ.get", "decouple.config", "os.environ.setdefault"}
METHODS = ("total_seconds", "strip", "lower", "upper", "values", "keys", "items", "copy")


def of_call(values: "Values", node: ast.AST, depth: int) -> Candidates:
    """The values that a call can give."""
    if not isinstance(node, ast.Call):
        return [UNKNOWN]
    name = values.resolver.name(node.func)
    last = name.rpartition(".")[2] or last_name(node.func)
    if last == "timedelta":
        return _timedelta(values, node, depth)
    if name in PASSING and node.args:
        return values.of(node.args[0], depth)
    if name.startswith("random.") or name.startswith("secrets."):
        return by_chance(last, [values.of(a, depth) for a in node.args])
    if name in ENVIRONMENT:
        default = argument(node, 1, "default")
        return [*values.of(default, depth), UNKNOWN] if values.through_settings and default is not None else [UNKNOWN]
    if name.startswith("math.") and node.args:
        return _rounded(last, values.of(node.args[0], depth))
    if isinstance(node.func, ast.Attribute) and (not name or "." in name):
        return _method(values, node, node.func, depth)
    return _built_in(values, node, last, depth) or _helper(values, node, depth)


def _built_in(values: "Values", node: ast.Call, last: str, depth: int) -> Candidates:
    """What a built-in function gives; nothing when it is none."""
    arguments = [values.of(a, depth) for a in node.args]
    first = arguments[0] if arguments else []
    if last in ("max", "min"):
        return extreme(last, arguments)
    if last == "sum" and arguments:
        return [summed(v) for v in first]
    if last in ("float", "int", "round", "abs", "Decimal"):
        return [as_number(last, v) for v in first or [0]]
    if last == "pow" and len(arguments) > 1:
        return [v for a in first for b in arguments[1] for v in applied(ARITHMETIC[ast.Pow], a, b)]
    if last == "cast":
        return arguments[-1] if arguments else []
    if last in KEEPING:
        return first or [()]
    if last == "len":
        return [len(v) if isinstance(v, (tuple, dict, range, str)) else UNKNOWN for v in first]
    if last == "range":
        bounds = [values.largest(a) for a in arguments]
        whole = [b for b in bounds if isinstance(b, int)]
        return [range(*whole)] if whole and len(whole) == len(bounds) and len(whole) <= 3 else [UNKNOWN]
    if last == "enumerate" and arguments:
        return [tuple(enumerate(items_of(v))) for v in first]
    if last == "zip" and arguments:
        return [tuple(zip(*(items_of(a[0]) for a in arguments), strict=False))]
    if last in ("repeat", "takewhile", "islice") and arguments:
        return _repeated(last, arguments)
    if last == "dict":
        found, _ = values.mapping(node)
        inner = next((v for v in first if isinstance(v, dict)), {})
        shown = {k: values.single(v, depth) if isinstance(v, ast.AST) else v for k, v in found.items()}
        return [{**inner, **shown}]
    if last in ("field", "Field"):
        made = keyword(node, "default_factory")
        if made is not None:
            return _of_function(values, made, depth)
        return values.of(argument(node, 0, "default"), depth)
    return []


def _repeated(which: str, arguments: list[Candidates]) -> Candidates:
    if which == "repeat" and len(arguments) > 1:
        return [(v,) * n for v in arguments[0] for n in arguments[1] if isinstance(n, int) and n < 1000] or [UNKNOWN]
    return arguments[-1] if which == "takewhile" else arguments[0]


def _rounded(which: str, worth: Candidates) -> Candidates:
    step = ROUNDING.get(which)
    if step is None:
        return [UNKNOWN]
    return [step(v) if isinstance(v, (int, float)) and math.isfinite(v) and v >= 0 else UNKNOWN for v in worth]


def _helper(values: "Values", node: ast.Call, depth: int) -> Candidates:
    return _of_function(values, node.func, depth)


def _of_function(values: "Values", node: ast.expr, depth: int) -> Candidates:
    """What a function gives: one of this file, or of another module of the tree."""
    function = values.resolver.function_of(node)
    if function is not None:
        return values.returned(function, depth)
    there = values.resolver.foreign(node)
    if there is None:
        return [UNKNOWN]
    inner = there.view.values.configured if values.through_settings else there.view.values
    return inner.returned(there.function, depth + 1)


def _timedelta(values: "Values", node: ast.Call, depth: int) -> Candidates:
    given: dict[str, float] = {}
    pairs: list[tuple[str | None, ast.expr]] = [*zip(FIELDS, node.args, strict=False)]
    for name, value in [*pairs, *((k.arg, k.value) for k in node.keywords)]:
        numbers = [v for v in values.of(value, depth) if isinstance(v, (int, float))]
        if name not in FIELDS or not numbers:
            return [UNKNOWN]
        given[name] = max(numbers)
    try:
        return [timedelta(**given)]
    except (OverflowError, ValueError):
        return [UNKNOWN]


def _method(values: "Values", call: ast.Call, method: ast.Attribute, depth: int) -> Candidates:
    boxes = values.of(method.value, depth)
    what = method.attr
    if what in METHODS:
        return [by_method(what, v) for v in boxes]
    if what in ("get", "pop") and call.args and any(isinstance(b, dict) for b in boxes):
        keys = values.of(call.args[0], depth)
        default = values.of(call.args[1], depth) if len(call.args) > 1 else []
        return [*(item_of(b, k) for b in boxes for k in keys), *default]
    if what == "format":
        return [v for v in boxes if isinstance(v, str)] or [UNKNOWN]
    if what == "join" and call.args:
        parts = [items_of(v) for v in values.of(call.args[0], depth)]
        return [
            glue.join(HOLE if p is UNKNOWN else str(p) for p in part)
            for glue in boxes
            if isinstance(glue, str)
            for part in parts
        ] or [UNKNOWN]
    return _of_function(values, method, depth)
