"""R-RES-OAS-X3."""

import ast
from collections.abc import Iterator

from ..binding import FUNCTIONS, Function
from ..finding import Finding, Rule
from ..syntax import quoted

OUTER = {"domain", "application", "use_cases", "usecases", "inbound", "wiring", "routers", "routes", "api"}


class LeakedDto(Rule):
    """A DTO of the external system leaves its adapter.

    Their field names and nulls then spread through our code, and their next version breaks all of it. Map to a domain type
    inside the adapter, and let the port speak domain types.
    """

    code = "OAS-X3"
    nodes = (ast.Import, ast.ImportFrom, *FUNCTIONS)
    needs = (("generated",),)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Imports of generated code from outside the adapters, and public methods that return its types."""
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            outside = bool(OUTER & set(self.source.parts[:-1])) and "outbound" not in self.source.parts
            if outside and self._imports_generated(node):
                yield self.finding(node)
        elif isinstance(node, FUNCTIONS):
            owner = self.source.owner(node)
            public = not node.name.startswith("_") and owner is not None and not owner.name.startswith("_")
            if public and self.view.roles.in_adapter(node) and self.source.function(node) is None and self._leaks(node):
                yield self.finding(node)

    def _imports_generated(self, node: ast.Import | ast.ImportFrom) -> bool:
        if isinstance(node, ast.Import):
            return any("generated" in a.name.split(".") for a in node.names)
        return "generated" in (node.module or "").split(".") or any(a.name == "generated" for a in node.names)

    def _leaks(self, function: Function) -> bool:
        if function.returns is not None:
            return self._names_generated(function.returns)
        for node in self.source.local(function):
            value = node.value if isinstance(node, (ast.Return, ast.Yield)) else None
            if isinstance(value, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
                value = value.elt
            if value is not None and any(self._is_dto(made) for made in self.resolver.made_by(value)):
                return True
        return False

    def _is_dto(self, call: ast.Call) -> bool:
        dotted = self.resolver.name(call.func)
        parts = dotted.split(".")
        if "generated" not in parts:
            return False
        last, before = parts[-1], parts[-2] if len(parts) > 1 else ""
        return last[:1].isupper() or before[:1].isupper()

    def _names_generated(self, annotation: ast.expr) -> bool:
        for node in ast.walk(annotation):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                inside = quoted(node.value)
                for part in ast.walk(inside) if inside is not None else ():
                    if isinstance(part, (ast.Name, ast.Attribute)) and "generated" in self.resolver.at(
                        part, node
                    ).split("."):
                        return True
            elif isinstance(node, (ast.Name, ast.Attribute)) and "generated" in self.resolver.name(node).split("."):
                return True
        return False
