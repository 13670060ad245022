"""What a name is bound to, and where."""

import ast
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
ScopeNode: TypeAlias = (
    ast.Module | ast.ClassDef | Function | ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
)
Kind = Literal["value", "unpacked", "grown", "loop", "with", "import", "function", "class", "parameter", "other"]

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
CALLABLES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LOOPS = (ast.For, ast.AsyncFor, ast.While)


@dataclass(slots=True, eq=False)
class Binding:
    """One place that gives a name a value: `node` is where, `value` is what, as far as source shows it."""

    kind: Kind
    node: ast.AST
    value: ast.expr | None = None
    annotation: ast.expr | None = None
    dotted: str = ""
    position: int | None = None  # of the name in an unpacked tuple

    @property
    def at(self) -> tuple[int, int]:
        """Line and column, to compare places."""
        return (getattr(self.node, "lineno", 0), getattr(self.node, "col_offset", 0))


@dataclass(slots=True, eq=False)
class Scope:
    """A module, class, function or comprehension with the names that it binds."""

    node: ScopeNode
    outer: "Scope | None"
    names: dict[str, list[Binding]] = field(default_factory=dict)
    attributes: dict[str, list[Binding]] = field(default_factory=dict)  # of a class: what methods assign to self
    foreign: dict[str, str] = field(default_factory=dict)  # declared global or nonlocal here

    def bind(self, name: str, binding: Binding) -> None:
        """Add a binding; a name declared global or nonlocal is bound where it lives."""
        where = self
        declared = self.foreign.get(name)
        if declared:
            while where.outer is not None and (declared == "global" or where is self):
                where = where.outer
        where.names.setdefault(name, []).append(binding)

    def holder(self) -> "Scope | None":
        """The class whose method (or function nested in one) this scope is."""
        scope: Scope | None = self
        while scope is not None and not isinstance(scope.node, ast.ClassDef):
            scope = scope.outer
        return scope
