"""R-RES-ISO-X2."""

import ast
from collections.abc import Iterator

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
    exempt_in_tests = True

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A client, a partial or a subclass that leaves one of the two out, or says None."""
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
        return False

    def _has_both(self, given: dict[str, object]) -> bool:
        return "timeout" in given and ("limits" in given or "transport" in given)

    def _is_none(self, value: object) -> bool:
        if value is None:
            return True
        if not isinstance(value, ast.expr):
            return False
        if isinstance(value, ast.Call) and self.resolver.name(value.func) == "httpx.Timeout":
            return bool(value.args) and not value.keywords and self.values.is_none(value.args[0])
        made = self.resolver.made_by(value) if isinstance(value, (ast.Name, ast.Attribute)) else []
        return self.values.is_none(value) or (len(made) == 1 and self._is_none(made[0]))
