"""What an expression can be worth: constants and defaults anywhere, arithmetic, timedelta, loop values, simple control flow."""

import ast
import itertools
import math
from collections.abc import Callable
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from .arithmetic import (
    ARITHMETIC,
    UNKNOWN,
    Candidates,
    applied,
    elements,
    few,
    item_of,
    items_of,
    single,
    with_holes,
)
from .binding import FUNCTIONS, Binding
from .call_values import of_call
from .flow import reaching
from .growth import changed, grown, refers
from .resolver import Resolver
from .source import Source
from .syntax import keyword
from .written import mapping, of_display, of_text

if TYPE_CHECKING:
    from .modules import Modules

DEPTH = 16
SETTINGS = ("Settings", "Config", "BaseModel")
KNOWN = {"math.inf": math.inf, "sys.maxsize": 2**63 - 1, "math.pi": math.pi}


class Values:
    """Evaluates expressions of one source to the list of values that they can have."""

    def __init__(
        self, source: Source, resolver: Resolver, elsewhere: "Modules | None" = None, through_settings: bool = False
    ) -> None:
        self.source = source
        self.resolver = resolver
        self.elsewhere = elsewhere
        self.through_settings = through_settings
        self._memory: dict[ast.AST, Candidates] = {}

    @cached_property
    def configured(self) -> "Values":
        """The same with the defaults of settings and of the environment, which no number in code can be blamed for."""
        return self if self.through_settings else Values(self.source, self.resolver, self.elsewhere, True)

    def of(self, node: ast.AST | None, depth: int = 0) -> Candidates:
        """All values that are seen for an expression; UNKNOWN among them where source does not tell."""
        if node is None or depth > DEPTH:
            return [UNKNOWN]
        known = self._memory.get(node)
        if known is None:
            self._memory[node] = [UNKNOWN]  # what an expression that refers to itself sees
            known = self._memory[node] = few(self.fresh(node, depth + 1))
        return known

    def fresh(self, node: ast.AST, depth: int) -> Candidates:
        """The values of a node that need not be part of the source."""
        if isinstance(node, ast.Constant):
            return [node.value]
        evaluate = _EVALUATORS.get(type(node))
        return evaluate(self, node, depth) if evaluate is not None else [UNKNOWN]

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

    def single(self, node: ast.AST | None, depth: int) -> object:
        """The one value of an expression; where there are several numbers, the largest."""
        return single(self.of(node, depth))

    def largest(self, worth: Candidates) -> object:
        """The one of several values that counts."""
        return single(worth)

    def mapping(self, call: ast.Call) -> tuple[dict[str, object], bool]:
        """The keyword arguments of a call with `**mappings` that source shows; and whether that is all of them."""
        return mapping(self, call)

    def bound(self, binding: Binding, depth: int) -> Candidates:
        """The values that one binding gives its name."""
        if binding.kind == "import" and self.elsewhere is not None:
            if binding.dotted in KNOWN:
                return [KNOWN[binding.dotted]]
            return self.elsewhere.constant(binding.dotted, depth, self.through_settings)
        if binding.kind == "parameter":
            return [*self.of(binding.value, depth), UNKNOWN] if binding.value is not None else [UNKNOWN]
        if binding.kind == "value":
            return self.of(binding.value, depth)
        if binding.kind == "unpacked":
            return elements(self.of(binding.value, depth), binding.position)
        if binding.kind == "loop":
            each = [item for value in self.of(binding.value, depth) for item in items_of(value)]
            return each if binding.position is None else elements(each, binding.position)
        if isinstance(binding.node, FUNCTIONS) and binding.kind == "function":
            return self.returned(binding.node, depth)
        return [UNKNOWN]

    def returned(self, function: ast.AST, depth: int) -> Candidates:
        """The values that a function returns."""
        if isinstance(function, ast.Lambda):
            return self.of(function.body, depth)
        returns = [n for n in self.source.local(function) if isinstance(n, ast.Return)]
        return [v for r in returns for v in self.of(r.value, depth)] or [UNKNOWN]

    def is_setting(self, binding: Binding) -> bool:
        """Whether a name is declared in a class of settings: its default can be changed without touching code."""
        owner = self.source.owner(binding.node)
        return owner is not None and any(
            last.endswith(SETTINGS) for last in (b.rpartition(".")[2] for b in self.resolver.bases(owner)) if last
        )

    def _name(self, node: ast.AST, depth: int) -> Candidates:
        if not isinstance(node, ast.Name):
            return [UNKNOWN]
        bindings = reaching(self.source, node.id, node)
        if not bindings:
            return [UNKNOWN]
        growing = [b for b in bindings if refers(b, node.id)]
        found = [v for b in bindings if b not in growing and b.kind != "function" for v in self.bound(b, depth)]
        for binding in reversed(growing):
            found.extend(grown(self, binding, node, found, depth))
        return changed(self, node, found, depth) if self.source.changes else found

    def _attribute(self, node: ast.AST, depth: int) -> Candidates:
        if not isinstance(node, ast.Attribute):
            return [UNKNOWN]
        bindings = self.resolver.attribute(node)
        if node.attr in ("value", "seconds", "days") and not bindings:
            inner = self.of(node.value, depth)
            if node.attr == "value" and inner != [UNKNOWN]:
                return inner
            if any(isinstance(v, timedelta) for v in inner):
                return [getattr(v, node.attr) for v in inner if isinstance(v, timedelta)]
        given = [k for made in self.resolver.made_by(node.value) for k in [keyword(made, node.attr)] if k is not None]
        if given:
            return [v for k in given for v in self.of(k, depth)]
        if bindings:
            if not self.through_settings and any(self.is_setting(b) for b in bindings):
                return [UNKNOWN]
            return changed(self, node, [v for b in bindings for v in self.bound(b, depth)], depth)
        return self._foreign(node, depth)

    def _foreign(self, node: ast.Attribute, depth: int) -> Candidates:
        """An attribute of another module, or of an object whose class another module has."""
        dotted = self.resolver.name(node)
        if dotted in KNOWN:
            return [KNOWN[dotted]]
        if self.elsewhere is None:
            return [UNKNOWN]
        if dotted and "<here>" not in dotted:
            found = self.elsewhere.constant(dotted, depth, self.through_settings)
            if found != [UNKNOWN]:
                return found
        for kind in self.resolver.classes_of(node.value):
            found = self.elsewhere.constant(f"{kind}.{node.attr}", depth, self.through_settings) if kind else [UNKNOWN]
            if found != [UNKNOWN]:
                return found
        return [UNKNOWN]

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
        keys, found = self.of(node.slice, depth), []
        for box in self.of(node.value, depth):
            for key in keys:
                chosen = key is UNKNOWN and not isinstance(node.slice, ast.Slice)
                found.extend(items_of(box) if chosen and isinstance(box, tuple) else [item_of(box, key)])
        return found


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
    ast.Dict: of_display,
    ast.Tuple: of_display,
    ast.List: of_display,
    ast.Set: of_display,
    ast.JoinedStr: of_text,
    ast.Call: of_call,
}
