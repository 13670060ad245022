"""R-RES-ISO-X1."""

import ast
import re
from collections.abc import Iterator

from ..binding import Binding
from ..finding import Finding, Rule
from ..flow import find_scope, reaching
from ..syntax import last_name

SHARED_NAME = re.compile(
    r"^_*((http|https|httpx|async|rest|http_async|shared)?_?client|http|breaker|circuit_?breaker|bulkhead|sem(aphore)?|limiter|gate|guard)s?$",
    re.IGNORECASE,
)
SHARED_KINDS = re.compile(r"(AsyncClient|httpx\.Client|CircuitBreaker|Semaphore|Guard|ClientSession|Bulkhead)$")
ADAPTER = re.compile(r"^(?P<system>\w+?)(Http)?(Adapter|Gateway|Client|Facade|Api)$")


class SharedBySystems(Rule):
    """Two external systems share one client, breaker or bulkhead.

    A slow system then takes the connections, permits and trust of the other: one outage becomes two. Build one of each per system, from
    that system's own settings.
    """

    code = "ISO-X1"
    nodes = (ast.Module,)
    needs = (
        ("Adapter", "Gateway", "Client", "Facade", "Api"),
        ("lient", "http", "reaker", "ulkhead", "sem", "Sem", "limiter", "gate", "guard"),
    )

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """The second adapter, of another system, that is given the same object."""
        first: dict[object, str] = {}
        for call in self.source.nodes(ast.Call):
            systems = self._systems(call)
            if not systems:
                continue
            for argument in (*call.args, *(k.value for k in call.keywords)):
                name = next((k.arg or "" for k in call.keywords if k.value is argument), "")
                thing = self._shared(argument, name)
                if thing is None:
                    continue
                if len(set(systems)) > 1 and self._made_in_loop(argument, call):
                    continue
                known = first.setdefault(thing, systems[0])
                if known != systems[0] or len(set(systems)) > 1:
                    yield self.finding(call)
                    break

    def _made_in_loop(self, argument: ast.expr, call: ast.Call) -> bool:
        """Whether each round of the loop has an object of its own."""
        loop = next((a for a in self.source.ancestors(call) if isinstance(a, (ast.For, ast.AsyncFor))), None)
        bindings = reaching(self.source, argument.id, argument) if isinstance(argument, ast.Name) else []
        return loop is not None and any(a is loop for b in bindings[:1] for a in self.source.ancestors(b.node))

    def _systems(self, call: ast.Call) -> list[str]:
        bindings = reaching(self.source, call.func.id, call.func) if isinstance(call.func, ast.Name) else []
        names = [self.resolver.name(call.func).rpartition(".")[2] or last_name(call.func)]
        if bindings and bindings[0].kind == "loop" and isinstance(bindings[0].value, (ast.Tuple, ast.List)):
            names = [self.resolver.name(e).rpartition(".")[2] for e in bindings[0].value.elts]
        matches = [ADAPTER.match(n) for n in names]
        return [m["system"] for m in matches if m and m["system"] not in ("Async", "Http", "AsyncHttp", "Base")]

    def _shared(self, argument: ast.expr, keyword: str, depth: int = 0) -> object | None:
        """What identifies the object: the binding of its name, or the attribute of its class."""
        if depth > 4:
            return None
        kind = self.resolver.kind(argument)
        likely = bool(SHARED_NAME.match(keyword) or SHARED_NAME.match(last_name(argument)) or SHARED_KINDS.search(kind))
        if isinstance(argument, ast.Name):
            bindings = reaching(self.source, argument.id, argument)
            alias = bindings[0].value if bindings and bindings[0].kind == "value" else None
            if isinstance(alias, (ast.Name, ast.Attribute)):
                return self._shared(alias, keyword or argument.id, depth + 1)
            if not likely:
                return None
            return self._identity(bindings, argument)
        if isinstance(argument, ast.Subscript) and isinstance(argument.value, ast.Name):
            keys = self.values.texts(argument.slice)
            box = reaching(self.source, argument.value.id, argument.value)[:1]
            return (box[0], keys[0]) if box and keys and SHARED_NAME.match(keys[0]) else None
        if isinstance(argument, ast.Attribute) and isinstance(argument.value, ast.Name) and likely:
            return (self.source.owner(argument), argument.value.id, argument.attr)
        return None

    def _identity(self, bindings: list[Binding], argument: ast.Name) -> object:
        if bindings:
            return bindings[0]
        return (find_scope(self.source, argument.id, argument), argument.id)
