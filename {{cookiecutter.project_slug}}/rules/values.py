"""What an expression can be worth: constants and defaults anywhere, arithmetic, timedelta, loop values, simple control flow."""

import ast
import itertools
from collections.abc import Callable
from datetime import timedelta
from typing import Protocol

from .arithmetic import (
    ARITHMETIC,
    HOLE,
    UNKNOWN,
    Candidates,
    applied,
    as_number,
    by_chance,
    by_method,
    elements,
    extreme,
    few,
    item_of,
    items_of,
    single,
    summed,
    with_holes,
)
from .binding import LOOPS, Binding
from .flow import reaching
from .resolver import Resolver
from .source import Source
from .syntax import last_name

DEPTH = 16
ROUNDS = 16  # a delay that grows without a bound in source is followed this far
PASSING = {"textwrap.dedent", "inspect.cleandoc", "sqlalchemy.text", "copy.copy", "copy.deepcopy"}
SETTINGS = ("Settings", "Config", "BaseModel")


class Elsewhere(Protocol):
    """Constants of other modules."""

    def constant(self, dotted: str, depth: int) -> Candidates: ...


class Values:
    """Evaluates expressions of one source to the list of values that they can have."""

    def __init__(self, source: Source, resolver: Resolver, elsewhere: Elsewhere | None = None) -> None:
        self.source = source
        self.resolver = resolver
        self.elsewhere = elsewhere
        self._memory: dict[ast.AST, Candidates] = {}

    def of(self, node: ast.AST | None, depth: int = 0) -> Candidates:
        """All values that are seen for an expression; UNKNOWN among them where source does not tell."""
        if node is None or depth > DEPTH:
            return [UNKNOWN]
        known = self._memory.get(node)
        if known is None:
            self._memory[node] = [UNKNOWN]  # what an expression that refers to itself sees
            known = self._memory[node] = few(self._of(node, depth + 1))
        return known

    def seconds(self, node: ast.AST | None) -> list[float]:
        """The numbers among the values; a timedelta counts its seconds."""
        found: list[float] = []
        for value in self.of(node):
            if isinstance(value, timedelta):
                found.append(value.total_seconds())
            elif isinstance(value, (int, float)) and not isinstance(value, bool):
                found.append(float(value))
        return found

    def texts(self, node: ast.AST | None) -> list[str]:
        """The strings among the values."""
        return [v for v in self.of(node) if isinstance(v, str)]

    def is_none(self, node: ast.AST | None) -> bool:
        """Whether an expression is None and nothing else."""
        return self.of(node) == [None]

    def mapping(self, call: ast.Call) -> tuple[dict[str, object], bool]:
        """The keyword arguments of a call with `**mappings` that source shows; and whether that is all of them."""
        found: dict[str, object] = {}
        complete = True
        for argument in call.keywords:
            if argument.arg is not None:
                found[argument.arg] = argument.value
                continue
            shown = [v for v in self.of(argument.value) if isinstance(v, dict)]
            complete = complete and bool(shown)
            for value in shown:
                found.update({str(k): v for k, v in value.items()})
        return found, complete

    def _of(self, node: ast.AST, depth: int) -> Candidates:
        if isinstance(node, ast.Constant):
            return [node.value]
        evaluate = _EVALUATORS.get(type(node))
        return evaluate(self, node, depth) if evaluate is not None else [UNKNOWN]

    def _name(self, node: ast.AST, depth: int) -> Candidates:
        if not isinstance(node, ast.Name):
            return [UNKNOWN]
        bindings = reaching(self.source, node.id, node)
        if not bindings:
            return [UNKNOWN]
        grown = [b for b in bindings if self._refers(b, node.id)]
        plain = [b for b in bindings if b not in grown]
        found = [v for b in plain for v in self.bound(b, depth)]
        for binding in reversed(grown):
            found.extend(self._grow(binding, node, found, depth))
        return found

    def _refers(self, binding: Binding, name: str) -> bool:
        if binding.kind == "grown":
            return True
        value = binding.value if binding.kind == "value" else None
        return value is not None and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value))

    def _grow(self, binding: Binding, use: ast.Name, start: Candidates, depth: int) -> Candidates:
        """The values after `x *= 2` or `x = f(x)`, once on a straight line and repeatedly in a loop."""
        loop = next((a for a in self.source.ancestors(binding.node) if isinstance(a, LOOPS)), None)
        shared = loop is not None and any(a is loop for a in self.source.ancestors(use))
        rounds = self._rounds(loop, depth) if shared else 1
        found: Candidates = []
        current: Candidates = [
            v for v in start if isinstance(v, (int, float, timedelta, str)) and not isinstance(v, bool)
        ]
        for _ in range(rounds):
            if isinstance(binding.node, ast.AugAssign):
                step = ARITHMETIC.get(type(binding.node.op))
                increments = self.of(binding.value, depth)
                current = [v for a in current for b in increments for v in applied(step, a, b)]
            else:
                current = self._with(use.id, current, binding.value, depth)
            current = [v for v in few(current) if v is not UNKNOWN]
            found.extend(current)
            if not current or found.count(current[-1]) > 2:
                break
        return found

    def _with(self, name: str, values: Candidates, node: ast.expr | None, depth: int) -> Candidates:
        found: Candidates = []
        for value in values:
            replaced = _Replace(name, value).visit(ast.parse(ast.unparse(node), mode="eval").body) if node else None
            found.extend(self._of(replaced, depth) if replaced is not None else [])
        return found

    def _rounds(self, loop: ast.AST | None, depth: int) -> int:
        if isinstance(loop, (ast.For, ast.AsyncFor)):
            lengths = [len(v) for v in self.of(loop.iter, depth) if isinstance(v, (tuple, range, dict))]
            return max(min(max(lengths) - 1, ROUNDS), 0) if lengths else 1
        return ROUNDS

    def bound(self, binding: Binding, depth: int) -> Candidates:
        """The values that one binding gives its name."""
        if binding.kind == "import" and self.elsewhere is not None:
            return self.elsewhere.constant(binding.dotted, depth)
        if binding.kind == "parameter":
            return [*self.of(binding.value, depth), UNKNOWN] if binding.value is not None else [UNKNOWN]
        if binding.kind == "value":
            return self.of(binding.value, depth)
        if binding.kind == "unpacked":
            return elements(self.of(binding.value, depth), binding.position)
        if binding.kind == "loop":
            each = [item for value in self.of(binding.value, depth) for item in items_of(value)]
            return each if binding.position is None else elements(each, binding.position)
        return [UNKNOWN]

    def _attribute(self, node: ast.AST, depth: int) -> Candidates:
        if not isinstance(node, ast.Attribute):
            return [UNKNOWN]
        if node.attr in ("value", "seconds", "days") and not self.resolver.attribute(node):
            inner = self.of(node.value, depth)
            if node.attr == "value" and inner != [UNKNOWN]:
                return inner
            if any(isinstance(v, timedelta) for v in inner):
                return [getattr(v, node.attr) for v in inner if isinstance(v, timedelta)]
        bindings = self.resolver.attribute(node)
        if bindings:
            if any(self._is_setting(b) for b in bindings):
                return [UNKNOWN]
            return [v for b in bindings for v in (self.bound(b, depth))]
        dotted = self.resolver.name(node)
        if dotted and self.elsewhere is not None and "<here>" not in dotted:
            return self.elsewhere.constant(dotted, depth)
        return [UNKNOWN]

    def _is_setting(self, binding: Binding) -> bool:
        owner = self.source.owner(binding.node)
        return owner is not None and any(
            last.endswith(SETTINGS) for last in (b.rpartition(".")[2] for b in self.resolver.bases(owner)) if last
        )

    def _binary(self, node: ast.AST, depth: int) -> Candidates:
        if not isinstance(node, ast.BinOp):
            return [UNKNOWN]
        left, right = self.of(node.left, depth), self.of(node.right, depth)
        if isinstance(node.op, ast.Mod) and any(isinstance(v, str) for v in left):
            return [with_holes(v) for v in left if isinstance(v, str)]
        step = ARITHMETIC.get(type(node.op))
        return [v for a, b in itertools.product(left, right) for v in applied(step, a, b)]

    def _unary(self, node: ast.AST, depth: int) -> Candidates:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return [-v if isinstance(v, (int, float, timedelta)) else UNKNOWN for v in self.of(node.operand, depth)]
        return [UNKNOWN]

    def _either(self, node: ast.AST, depth: int) -> Candidates:
        if isinstance(node, ast.IfExp):
            return [*self.of(node.body, depth), *self.of(node.orelse, depth)]
        if isinstance(node, ast.BoolOp):
            return [v for part in node.values for v in self.of(part, depth)]
        if isinstance(node, (ast.NamedExpr, ast.Await)):
            return self.of(node.value, depth)
        return [UNKNOWN]

    def _subscript(self, node: ast.AST, depth: int) -> Candidates:
        if not isinstance(node, ast.Subscript):
            return [UNKNOWN]
        keys = self.of(node.slice, depth)
        return [item_of(box, key) for box in self.of(node.value, depth) for key in keys]

    def _display(self, node: ast.AST, depth: int) -> Candidates:
        if isinstance(node, ast.Dict):
            found: dict[object, object] = {}
            for key, value in zip(node.keys, node.values, strict=True):
                inner = single(self.of(value, depth))
                if key is None:
                    found.update(inner if isinstance(inner, dict) else {UNKNOWN: UNKNOWN})
                else:
                    name = single(self.of(key, depth))
                    found[name if isinstance(name, (str, int, float)) else UNKNOWN] = inner
            return [found]
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return [tuple(single(self.of(e, depth)) for e in node.elts)]
        return [UNKNOWN]

    def _joined(self, node: ast.AST, depth: int) -> Candidates:
        if not isinstance(node, ast.JoinedStr):
            return [UNKNOWN]
        parts = []
        for part in node.values:
            inner = part.value if isinstance(part, ast.FormattedValue) else part
            value = single(self.of(inner, depth))
            parts.append(HOLE if value is UNKNOWN else str(value))
        return ["".join(parts)]

    def _call(self, node: ast.AST, depth: int) -> Candidates:
        if not isinstance(node, ast.Call):
            return [UNKNOWN]
        name = self.resolver.name(node.func)
        last = name.rpartition(".")[2] or last_name(node.func)
        if last == "timedelta":
            return self._timedelta(node, depth)
        if name in PASSING and node.args:
            return self.of(node.args[0], depth)
        if name.startswith("random."):
            return by_chance(last, [self.of(a, depth) for a in node.args])
        if isinstance(node.func, ast.Attribute) and (not name or "." in name):
            return self._method(node, node.func, depth)
        arguments = [self.of(a, depth) for a in node.args]
        if last in ("max", "min"):
            return extreme(last, arguments)
        if last == "sum" and arguments:
            return [summed(v) for v in arguments[0]]
        if last in ("float", "int", "round", "abs", "Decimal"):
            return [as_number(last, v) for v in (arguments[0] if arguments else [0])]
        if last in ("tuple", "list", "set", "frozenset", "sorted", "cast", "text"):
            return arguments[-1] if last == "cast" and arguments else (arguments[0] if arguments else [()])
        if last == "range":
            bounds = [single(a) for a in arguments]
            whole = [b for b in bounds if isinstance(b, int)]
            return [range(*whole)] if whole and len(whole) == len(bounds) and len(whole) <= 3 else [UNKNOWN]
        if last == "enumerate" and arguments:
            return [tuple(enumerate(items_of(v))) for v in arguments[0]]
        if last == "dict":
            found, _ = self.mapping(node)
            return [{k: single(self.of(v, depth)) if isinstance(v, ast.AST) else v for k, v in found.items()}]
        function = self.resolver.function_of(node.func)
        if function is not None:
            return self._returned(function, depth)
        return [UNKNOWN]

    def _returned(self, function: ast.AST, depth: int) -> Candidates:
        if isinstance(function, ast.Lambda):
            return self.of(function.body, depth)
        returns = [n for n in self.source.local(function) if isinstance(n, ast.Return)]
        return [v for r in returns for v in self.of(r.value, depth)] or [UNKNOWN]

    def _timedelta(self, node: ast.Call, depth: int) -> Candidates:
        fields = ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks")
        given: dict[str, float] = {}
        pairs: list[tuple[str | None, ast.expr]] = [*zip(fields, node.args, strict=False)]
        for name, argument in [*pairs, *((k.arg, k.value) for k in node.keywords)]:
            numbers = [v for v in self.of(argument, depth) if isinstance(v, (int, float))]
            if name not in fields or not numbers:
                return [UNKNOWN]
            given[name] = max(numbers)
        return [timedelta(**given)]

    def _method(self, call: ast.Call, method: ast.Attribute, depth: int) -> Candidates:
        boxes = self.of(method.value, depth)
        what = method.attr
        if what in ("total_seconds", "strip", "lower", "upper", "values", "keys", "items", "copy", "dedent"):
            return [by_method(what, v) for v in boxes]
        if what == "get" and call.args:
            keys = self.of(call.args[0], depth)
            return (
                [item_of(b, k) for b in boxes for k in keys] if any(isinstance(b, dict) for b in boxes) else [UNKNOWN]
            )
        if what == "format":
            return [v for v in boxes if isinstance(v, str)] or [UNKNOWN]
        if what == "join" and call.args:
            parts = [p for v in self.of(call.args[0], depth) for p in [items_of(v)]]
            return [
                glue.join(HOLE if p is UNKNOWN else str(p) for p in part)
                for glue in boxes
                if isinstance(glue, str)
                for part in parts
            ] or [UNKNOWN]
        function = self.resolver.function_of(method)
        return self._returned(function, depth) if function is not None else [UNKNOWN]


_EVALUATORS: dict[type[ast.AST], Callable[[Values, ast.AST, int], Candidates]] = {
    ast.Name: Values._name,
    ast.Attribute: Values._attribute,
    ast.BinOp: Values._binary,
    ast.UnaryOp: Values._unary,
    ast.IfExp: Values._either,
    ast.BoolOp: Values._either,
    ast.NamedExpr: Values._either,
    ast.Await: Values._either,
    ast.Subscript: Values._subscript,
    ast.Dict: Values._display,
    ast.Tuple: Values._display,
    ast.List: Values._display,
    ast.Set: Values._display,
    ast.JoinedStr: Values._joined,
    ast.Call: Values._call,
}


class _Replace(ast.NodeTransformer):
    """A copy of an expression with a value in place of a name."""

    def __init__(self, name: str, value: object) -> None:
        self.name = name
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Put the value where the name stood."""
        if node.id == self.name and isinstance(self.value, (int, float, str)):
            return ast.Constant(self.value)
        return node
