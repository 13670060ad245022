"""Which function a call reaches: of this file, of another module of the tree; and who calls it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .binding import CALLABLES, FUNCTIONS, Binding, Function
from .flow import reaching
from .names import Names
from .source import Source
from .syntax import arguments

if TYPE_CHECKING:
    from .modules import Modules
    from .view import View


@dataclass(frozen=True, slots=True, eq=False)
class Foreign:
    """A function of another module of the tree, with what can be asked about that module."""

    view: "View"
    function: Function | ast.Lambda


class Functions(Names):
    """Answers about one source; every answer is remembered."""

    def __init__(self, source: Source, elsewhere: "Modules | None" = None) -> None:
        super().__init__(source, elsewhere)
        self._functions: dict[ast.AST, Function | ast.Lambda | None] = {}
        self._foreign: dict[ast.AST, Foreign | None] = {}
        self._callers: dict[ast.AST, list[ast.Call]] = {}

    def function_of(self, node: ast.AST | None) -> Function | ast.Lambda | None:
        """The function of this file that an expression denotes: by name, as a method, or a lambda."""
        if isinstance(node, ast.Lambda):
            return node
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return None
        if node not in self._functions:
            self._functions[node] = None  # what a name that stands for itself sees
            bindings = self.attribute(node) if isinstance(node, ast.Attribute) else reaching(self.source, node.id, node)
            self._functions[node] = next((f for f in map(self._function, bindings) if f is not None), None)
        return self._functions[node]

    def _function(self, binding: Binding) -> Function | ast.Lambda | None:
        if isinstance(binding.node, FUNCTIONS):
            return binding.node
        return self.function_of(binding.value) if binding.kind == "value" else None

    def foreign(self, node: ast.AST | None) -> Foreign | None:
        """The function of another module of the tree that an expression denotes: imported, or a method by its class."""
        if node is None or self.elsewhere is None or not isinstance(node, (ast.Name, ast.Attribute)):
            return None
        if node not in self._foreign:
            self._foreign[node] = None
            self._foreign[node] = next((f for f in map(self.elsewhere.function, self._addresses(node)) if f), None)
        return self._foreign[node]

    def _addresses(self, node: ast.Name | ast.Attribute) -> Iterator[str]:
        yield self.name(node)
        if isinstance(node, ast.Attribute):
            yield from (f"{kind}.{node.attr}" for kind in self.classes_of(node.value) if kind)

    def classes_of(self, base: ast.expr) -> list[str]:
        """The classes, of other modules too, that an object can have its attributes from."""
        if isinstance(base, ast.Name) and base.id in ("self", "cls"):
            owner = self.source.owner(base)
            return self.bases(owner) if owner is not None else []
        return [self.kind(base)]

    def callers(self, function: Function | ast.Lambda) -> list[ast.Call]:
        """The calls in this file that reach a function by its own name."""
        known = self._callers.get(function)
        if known is None:
            name = "" if isinstance(function, ast.Lambda) else function.name
            calls = self.source.calls_by_name.get(name, ())
            known = self._callers[function] = [c for c in calls if self.function_of(c.func) is function]
        return known

    def given_to(self, function: Function | ast.Lambda) -> Iterator[ast.Call]:
        """The calls that get a function as an argument, without calling it."""
        if isinstance(function, ast.Lambda):
            parent = self.source.parents.get(function)
            if isinstance(parent, ast.keyword):
                parent = self.source.parents.get(parent)
            if isinstance(parent, ast.Call):
                yield parent
            return
        for call in self.source.calls_by_argument.get(function.name, ()):
            if any(self.function_of(a) is function for a in arguments(call)):
                yield call

    def calls_in(self, function: ast.AST) -> Iterator[ast.Call]:
        """The calls that a function makes itself."""
        roots = [function.body] if isinstance(function, ast.Lambda) else getattr(function, "body", [])
        for root in roots:
            if isinstance(root, ast.Call):
                yield root
            if isinstance(root, (*CALLABLES, ast.ClassDef)):
                continue
            yield from (n for n in self.source.local(root) if isinstance(n, ast.Call))
