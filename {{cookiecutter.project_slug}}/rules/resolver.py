"""The one resolver that all rules share: what a name stands for, what an object is, which function a call reaches."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .binding import CALLABLES, FUNCTIONS, Binding, Function
from .flow import reaching
from .names import DEPTH, Names, canonical
from .source import Source
from .syntax import arguments, last_name, quoted

if TYPE_CHECKING:
    from .modules import Modules
    from .view import View


@dataclass(frozen=True, slots=True, eq=False)
class Foreign:
    """A function of another module of the tree, with what can be asked about that module."""

    view: "View"
    function: Function | ast.Lambda


class Resolver(Names):
    """Answers about one source; every answer is remembered."""

    def __init__(self, source: Source, elsewhere: "Modules | None" = None) -> None:
        super().__init__(source, elsewhere)
        self._kinds: dict[ast.AST, str] = {}
        self._made: dict[ast.AST, list[ast.Call]] = {}
        self._callers: dict[ast.AST, list[ast.Call]] = {}
        self._functions: dict[ast.AST, Function | ast.Lambda | None] = {}
        self._foreign: dict[ast.AST, Foreign | None] = {}

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

    def made_by(self, node: ast.AST | None, depth: int = 0) -> list[ast.Call]:
        """The calls that can have made an object: itself, or what its name or attribute was assigned."""
        if node is None or depth > DEPTH:
            return []
        known = self._made.get(node)
        if known is None:
            self._made[node] = []
            known = self._made[node] = self._made_by(node, depth)
        return known

    def _made_by(self, node: ast.AST, depth: int) -> list[ast.Call]:
        if isinstance(node, ast.Await):
            return self.made_by(node.value, depth + 1)
        if isinstance(node, ast.Call):
            return [node]
        if isinstance(node, (ast.BoolOp, ast.IfExp)):
            return [c for branch in branches(node) for c in self.made_by(branch, depth + 1)]
        bindings: list[Binding] = []
        if isinstance(node, ast.Name):
            bindings = reaching(self.source, node.id, node)
        elif isinstance(node, ast.Attribute):
            bindings = self.attribute(node)
        found: list[ast.Call] = []
        for binding in bindings:
            if binding.kind in ("value", "with", "parameter"):
                found.extend(self.made_by(binding.value, depth + 1))
            elif binding.kind == "unpacked":
                found.extend(self.made_by(part_of(binding), depth + 1))
        return found

    def kind(self, node: ast.AST | None, depth: int = 0) -> str:
        """The dotted name of an object's class, by annotation or by the call that made it; or nothing."""
        if node is None or depth > DEPTH:
            return ""
        known = self._kinds.get(node)
        if known is None:
            self._kinds[node] = ""
            known = self._kinds[node] = self._kind(node, depth)
        return known

    def _kind(self, node: ast.AST, depth: int) -> str:
        if isinstance(node, ast.Await):
            return self.kind(node.value, depth + 1)
        if isinstance(node, ast.Call):
            function = self.function_of(node.func)
            if isinstance(function, FUNCTIONS):
                return self.annotated(function.returns)
            return self._kind_given(node.func) or self.name(node.func) or self._partial(node.func)
        if isinstance(node, (ast.BoolOp, ast.IfExp)):
            return next((k for b in branches(node) for k in [self.kind(b, depth + 1)] if k), "")
        bindings: list[Binding] = []
        if isinstance(node, ast.Name):
            bindings = reaching(self.source, node.id, node)
        elif isinstance(node, ast.Attribute):
            bindings = self.attribute(node)
        for binding in bindings:
            found = self.kind_of_binding(binding, depth)
            if found:
                return found
        if isinstance(node, ast.Attribute) and not bindings and self.elsewhere is not None:
            return next(
                (k for c in self.classes_of(node.value) if c for k in [self.elsewhere.kind(f"{c}.{node.attr}")] if k),
                "",
            )
        return ""

    def kind_of_binding(self, binding: Binding, depth: int = 0) -> str:
        """The class of what a binding gives its name."""
        if isinstance(binding.node, FUNCTIONS):
            return (
                self.annotated(binding.node.returns)
                if binding.kind == "function" and _is_property(binding.node)
                else ""
            )
        if binding.kind == "import" and self.elsewhere is not None:
            return self.elsewhere.kind(binding.dotted)
        found = self.annotated(binding.annotation)
        if binding.kind == "unpacked":
            return self.kind(part_of(binding), depth + 1)
        if not found and binding.kind in ("value", "with", "parameter"):
            found = self.kind(binding.value, depth + 1)
        return found

    def _kind_given(self, node: ast.expr) -> str:
        """What a function of another module says that it returns."""
        there = self.foreign(node)
        if there is None or isinstance(there.function, ast.Lambda):
            return ""
        found = there.view.resolver.annotated(there.function.returns)
        return "" if found.startswith("<here>") else found

    def _partial(self, node: ast.AST) -> str:
        for call in self.made_by(node):
            if last_name(call.func) == "partial" and call.args:
                return self.name(call.args[0])
        return ""

    def annotated(self, annotation: ast.expr | None, depth: int = 0) -> str:
        """The class that an annotation names, without Optional, Annotated, None and quotes."""
        if annotation is None or depth > DEPTH:
            return ""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            inside = quoted(annotation.value)
            for part in _union(inside) if inside is not None else ():
                found = self.at(part, annotation, depth)
                if found and found != "None":
                    return canonical(found)
            return ""
        if isinstance(annotation, ast.Subscript):
            wrapper = last_name(annotation.value)
            if wrapper in ("Optional", "Annotated", "Union", "Final", "ClassVar"):
                inner = annotation.slice.elts[0] if isinstance(annotation.slice, ast.Tuple) else annotation.slice
                return self.annotated(inner, depth + 1)
            return self.name(annotation.value)
        for part in _union(annotation):
            found = self.name(part)
            if found and found != "None":
                return found
        return ""

    def calls_in(self, function: ast.AST) -> Iterator[ast.Call]:
        """The calls that a function makes itself."""
        roots = [function.body] if isinstance(function, ast.Lambda) else getattr(function, "body", [])
        for root in roots:
            if isinstance(root, ast.Call):
                yield root
            if isinstance(root, (*CALLABLES, ast.ClassDef)):
                continue
            yield from (n for n in self.source.local(root) if isinstance(n, ast.Call))


def part_of(binding: Binding) -> ast.expr | None:
    """The expression that an unpacked name gets, where the other side is written out: `a, b = one(), two()`."""
    box = binding.value
    if isinstance(box, (ast.Tuple, ast.List)) and binding.position is not None and binding.position < len(box.elts):
        return box.elts[binding.position]
    return None


def branches(node: ast.expr) -> list[ast.expr]:
    """What `a or b` and `a if c else b` can be; anything else is itself."""
    if isinstance(node, ast.BoolOp):
        return [inner for part in node.values for inner in branches(part)]
    return [*branches(node.body), *branches(node.orelse)] if isinstance(node, ast.IfExp) else [node]


def _union(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_union(node.left), *_union(node.right)]
    return [node]


def _is_property(function: Function) -> bool:
    return any(last_name(d) in ("property", "cached_property") for d in function.decorator_list)
