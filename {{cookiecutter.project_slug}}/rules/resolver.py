"""The one resolver that all rules share: what a name stands for, what an object is, which function a call reaches."""

import ast
from typing import TYPE_CHECKING

from .binding import FUNCTIONS, Binding, Function
from .flow import reaching
from .functions import Functions
from .names import DEPTH, canonical
from .source import Source
from .syntax import last_name, quoted

if TYPE_CHECKING:
    from .modules import Modules


class Resolver(Functions):
    """Answers about one source; every answer is remembered."""

    def __init__(self, source: Source, elsewhere: "Modules | None" = None) -> None:
        super().__init__(source, elsewhere)
        self._kinds: dict[ast.AST, str] = {}
        self._made: dict[ast.AST, list[ast.Call]] = {}

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
