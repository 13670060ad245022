"""R-RES-CB-X3."""

import ast
from collections.abc import Iterator

from ..finding import Finding, Rule
from ..syntax import last_name

KINDS = {"aiobreaker.CircuitBreaker": 5, "pybreaker.CircuitBreaker": 6}  # position of `name` among the arguments


class UnnamedBreaker(Rule):
    """A breaker without a name, or with the name of another.

    Logs, metrics and alerts are read by that name: without one nobody knows which system is away. Pass `name=` with the system's name,
    one breaker per system.
    """

    code = "CB-X3"
    nodes = (ast.Module,)
    needs = (("CircuitBreaker",),)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Breakers built without a name, with an empty one, or with a literal one that was used before."""
        seen: dict[str, ast.Call] = {}
        calls = sorted(self.source.nodes(ast.Call), key=lambda c: (c.lineno, c.col_offset))
        for call in calls:
            kind = self._kind(call)
            if not kind:
                continue
            given, complete = self.values.mapping(call)
            position = KINDS[kind]
            name = given.get("name", call.args[position] if len(call.args) > position else None)
            if name is None:
                if complete:
                    yield self.finding(call)
                continue
            worth = self.values.of(name) if isinstance(name, ast.AST) else [name]
            if worth in ([None], [""]):
                yield self.finding(call)
            elif len(worth) == 1 and isinstance(worth[0], str) and "{}" not in worth[0]:
                if worth[0] in seen:
                    yield self.finding(call, about=f"a second breaker called {worth[0]!r}")
                seen[worth[0]] = call

    def _kind(self, call: ast.Call) -> str:
        name = self.resolver.name(call.func)
        if name in KINDS:
            return name
        if last_name(call.func) == "partial" and call.args:
            name = self.resolver.name(call.args[0])
            return name if name in KINDS else ""
        if (
            last_name(call.func) == "__init__"
            and isinstance(call.func, ast.Attribute)
            and last_name(call.func.value) == "super"
        ):
            owner = self.source.owner(call)
            return next((b for b in self.resolver.bases(owner) if b in KINDS), "") if owner is not None else ""
        return ""
