"""What a name stands for: aliases, imports, attributes of classes, re-exports of other modules of the tree."""

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .binding import Binding, Scope
from .flow import find_scope, reaching
from .source import Source
from .syntax import last_name, quoted

if TYPE_CHECKING:
    from .modules import Modules

DEPTH = 12
STAR_NAMES = {
    "asyncio": {"sleep", "timeout", "wait_for", "Semaphore", "to_thread", "run"},
    "httpx": {"AsyncClient", "Client", "Timeout", "Limits", "AsyncHTTPTransport", "HTTPTransport"},
    "tenacity": {"retry", "AsyncRetrying", "Retrying", "wait_fixed", "stop_after_attempt", "retry_if_exception_type"},
    "aiobreaker": {"CircuitBreaker"},
    "time": {"sleep"},
}
FLAT_PACKAGES = ("asyncio", "httpx", "tenacity", "aiobreaker", "pybreaker", "stamina", "backoff")


class Names:
    """Answers about one source; every answer is remembered."""

    def __init__(self, source: Source, elsewhere: "Modules | None" = None) -> None:
        self.source = source
        self.elsewhere = elsewhere
        self._names: dict[ast.AST, str] = {}
        self._attributes: dict[ast.AST, list[Binding]] = {}
        self._pending: set[ast.AST] = set()

    def kind(self, node: ast.AST | None, depth: int = 0) -> str:
        """The class of an object; the resolver knows."""
        raise NotImplementedError

    def name(self, node: ast.AST | None, depth: int = 0) -> str:
        """The dotted name that an expression stands for (`asyncio.sleep`), or nothing."""
        if node is None or depth > DEPTH:
            return ""
        known = self._names.get(node)
        if known is None:
            known = self._names[node] = ""
            known = self._names[node] = canonical(self._name(node, depth + 1))
        return known

    def _name(self, node: ast.AST, depth: int) -> str:
        if isinstance(node, ast.Name):
            return self._plain(node, depth)
        if isinstance(node, ast.Attribute):
            bound = self.attribute(node)
            for binding in bound:
                found = self.of_binding(binding, depth)
                if found:
                    return found
            base = self.name(node.value, depth)
            if not base:
                return ""
            return self.elsewhere.name(f"{base}.{node.attr}") if self.elsewhere is not None else f"{base}.{node.attr}"
        if isinstance(node, ast.NamedExpr):
            return self.name(node.value, depth)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self._quoted(node, depth)
        if isinstance(node, ast.Call):
            return self._imported_by_call(node, depth)
        return ""

    def _plain(self, node: ast.Name, depth: int) -> str:
        bindings = reaching(self.source, node.id, node)
        for binding in bindings:
            found = self.of_binding(binding, depth)
            if found:
                return found
        if bindings:
            return ""
        star = next((m for m in self.source.stars if node.id in STAR_NAMES.get(m, ())), "")
        return f"{star}.{node.id}" if star else node.id

    def of_binding(self, binding: Binding, depth: int = 0) -> str:
        """The dotted name that a binding gives."""
        if binding.kind == "import":
            return self.elsewhere.name(binding.dotted) if self.elsewhere is not None else binding.dotted
        if binding.kind == "class" and isinstance(binding.node, ast.ClassDef):
            return f"<here>.{binding.node.name}"
        if binding.kind in ("value", "parameter") and not isinstance(binding.value, (ast.Constant, ast.Call)):
            return self.name(binding.value, depth)
        if binding.kind == "value" and isinstance(binding.value, ast.Call):
            return self._imported_by_call(binding.value, depth)
        return ""

    def _imported_by_call(self, call: ast.Call, depth: int) -> str:
        what = last_name(call.func)
        first = call.args[0] if call.args else None
        if what in ("__import__", "import_module") and isinstance(first, ast.Constant) and isinstance(first.value, str):
            return first.value
        if what == "getattr" and len(call.args) > 1:
            second = call.args[1]
            base = self.name(first, depth)
            if base and isinstance(second, ast.Constant) and isinstance(second.value, str):
                return f"{base}.{second.value}"
        return ""

    def _quoted(self, node: ast.Constant, depth: int) -> str:
        """A quoted annotation, looked up at its place."""
        inner = quoted(str(node.value))
        return self.at(inner, node, depth) if isinstance(inner, (ast.Name, ast.Attribute)) else ""

    def at(self, node: ast.expr, place: ast.AST, depth: int = 0) -> str:
        """The dotted name of an expression that stands in a quoted annotation at `place`."""
        if isinstance(node, ast.Attribute):
            base = self.at(node.value, place, depth)
            return f"{base}.{node.attr}" if base else ""
        if isinstance(node, ast.Name):
            bindings = reaching(self.source, node.id, place)
            return next((n for n in (self.of_binding(b, depth) for b in bindings) if n), "" if bindings else node.id)
        return ""

    def attribute(self, node: ast.Attribute) -> list[Binding]:
        """The bindings of `self.x`, `cls.x` or `Class.x` of a class in this file, assigned in methods or in its body."""
        known = self._attributes.get(node)
        if known is None:
            self._attributes[node] = []
            known = self._attributes[node] = self._attribute(node)
        return known

    def _attribute(self, node: ast.Attribute) -> list[Binding]:
        if not self.source.has_classes:
            return []
        base = node.value
        if isinstance(base, ast.Call) and last_name(base.func) == "type":
            base = base.args[0] if base.args else base
        holder = (
            self.source.scope(node).holder()
            if isinstance(base, ast.Name) and base.id in ("self", "cls")
            else self._class(base)
        )
        found: list[Binding] = []
        for scope in self.lineage(holder):
            found.extend(scope.attributes.get(node.attr, ()))
            found.extend(reversed(scope.names.get(node.attr, ())))
            if found:
                break
        return found

    def _class(self, base: ast.expr) -> Scope | None:
        """The class of this file that an expression denotes, or that it is an instance of."""
        if base in self._pending:
            return None
        self._pending.add(base)
        try:
            bindings: list[Binding] = []
            if isinstance(base, ast.Name):
                bindings = reaching(self.source, base.id, base)
            elif isinstance(base, ast.Attribute):
                bindings = self.attribute(base)
            direct = next((b.node for b in bindings if b.kind == "class"), None)
            if direct is not None:
                return self.source.scopes[direct]
            kind = self.kind(base)
            if kind.startswith("<here>."):
                named = self.source.module.names.get(kind.partition(".")[2], ())
                return next((self.source.scopes[b.node] for b in named if b.kind == "class"), None)
            return None
        finally:
            self._pending.discard(base)

    def lineage(self, holder: Scope | None, depth: int = 0) -> Iterator[Scope]:
        """A class's scope and those of its bases in this file."""
        if holder is None or depth > DEPTH or not isinstance(holder.node, ast.ClassDef):
            return
        yield holder
        for base in holder.node.bases:
            if isinstance(base, ast.Name):
                scope = find_scope(self.source, base.id, holder.node)
                for binding in scope.names[base.id] if scope is not None else ():
                    if binding.kind == "class" and binding.node is not holder.node:
                        yield from self.lineage(self.source.scopes[binding.node], depth + 1)

    def bases(self, node: ast.ClassDef) -> list[str]:
        """The dotted names of all bases, those of bases in this file included."""
        lineage = list(self.lineage(self.source.scopes[node]))
        return [self.name(b) for scope in lineage if isinstance(scope.node, ast.ClassDef) for b in scope.node.bases]


def canonical(dotted: str) -> str:
    """`httpx._client.AsyncClient` is `httpx.AsyncClient`: where a library keeps a name does not matter."""
    head, _, tail = dotted.partition(".")
    return f"{head}.{tail.rpartition('.')[2]}" if tail and head in FLAT_PACKAGES else dotted
