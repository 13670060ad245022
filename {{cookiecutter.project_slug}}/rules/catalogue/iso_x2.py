"""R-RES-ISO-X2."""

import ast
from collections.abc import Iterator

from ..binding import FUNCTIONS
from ..finding import Finding, Rule
from ..syntax import last_name

CLIENT = "httpx.AsyncClient"


class BareClient(Rule):
    """An AsyncClient without limits or timeouts of its own.

    The library's defaults (100 connections, 5 s each) belong to no system: pool and deadline must be that system's settings. Pass both
    `timeout=` and `limits=` from settings, or let the resilience kit build the client.
    """

    code = "ISO-X2"
    nodes = (ast.Call,)
    needs = (("AsyncClient",),)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A client, a partial or a subclass that leaves one of the two out, or says None."""
        if isinstance(node, ast.Call) and any(
            k.arg in ("default_factory", "factory") and self.resolver.name(k.value) == CLIENT for k in node.keywords
        ):
            yield self.finding(node)
        if not isinstance(node, ast.Call) or not self._makes_client(node) or self.view.http.is_local(node):
            return
        given, complete = self.values.mapping(node)
        if any(given.get(name) is not None and self._is_none(given[name]) for name in ("timeout", "limits")) or (
            complete and not self._has_both(given)
        ):
            yield self.finding(node)

    def _makes_client(self, call: ast.Call) -> bool:
        if self.resolver.name(call.func) == CLIENT:
            return True
        if last_name(call.func) == "partial" and call.args:
            return self.resolver.name(call.args[0]) == CLIENT
        if (
            last_name(call.func) == "__init__"
            and isinstance(call.func, ast.Attribute)
            and last_name(call.func.value) == "super"
        ):
            owner = self.source.owner(call)
            return owner is not None and CLIENT in self.resolver.bases(owner)
        return self._makes_subclass(call)

    def _makes_subclass(self, call: ast.Call) -> bool:
        """A class of this file that is an AsyncClient and has no `__init__` to set the two."""
        name = self.resolver.name(call.func)
        if not name.startswith("<here>."):
            return False
        for binding in self.source.module.names.get(name.partition(".")[2], ()):
            node = binding.node
            if isinstance(node, ast.ClassDef) and CLIENT in self.resolver.bases(node):
                lineage = self.resolver.lineage(self.source.scopes[node])
                return not any("__init__" in scope.names for scope in lineage)
        return False

    def _has_both(self, given: dict[str, object]) -> bool:
        return "timeout" in given and ("limits" in given or "transport" in given)

    def _is_none(self, value: object) -> bool:
        if value is None:
            return True
        if not isinstance(value, ast.expr):
            return False
        if isinstance(value, ast.Call):
            return self._says_nothing(value)
        made = self.resolver.made_by(value) if isinstance(value, (ast.Name, ast.Attribute)) else []
        return self.values.is_none(value) or (len(made) == 1 and self._is_none(made[0]))

    def _says_nothing(self, call: ast.Call) -> bool:
        """`Timeout(None)`, `Limits()`, `Limits(max_connections=None)`: as good as none."""
        name = self.resolver.name(call.func)
        given, complete = self.values.mapping(call)
        if name == "httpx.Timeout":
            whole = call.args[0] if call.args else given.get("timeout")
            return whole is not None and isinstance(whole, ast.expr) and len(given) <= 1 and self.values.is_none(whole)
        if name == "httpx.Limits":
            most = given.get("max_connections", call.args[0] if call.args else None)
            return (complete and most is None) or (isinstance(most, ast.expr) and self.values.is_none(most))
        function = self.resolver.function_of(call.func)
        if not isinstance(function, FUNCTIONS):
            return False
        returned = [n.value for n in self.source.local(function) if isinstance(n, ast.Return)]
        return bool(returned) and all(self._is_none(r) for r in returned)
