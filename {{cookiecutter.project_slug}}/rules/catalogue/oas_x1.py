"""R-RES-OAS-X1."""

import ast
from collections.abc import Iterator

from ..finding import Finding, Rule
from ..syntax import last_name

LIBRARIES = {
    "tenacity",
    "stamina",
    "backoff",
    "aiobreaker",
    "pybreaker",
    "circuitbreaker",
    "purgatory",
    "aiohttp_retry",
}


class WrappedGenerated(Rule):
    """Generated code is edited, wrapped or patched.

    The next generation throws the change away, and protection that sits there is missed by whoever looks at the adapter. Wrap the
    adapter's public method instead; generated code stays as it came.
    """

    code = "OAS-X1"
    nodes = (ast.Import, ast.ImportFrom, ast.Assign, ast.AugAssign, ast.Call)

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Files in a `generated` folder, and those that name one."""
        return "generated" in text or "generated" in parts

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Resilience libraries imported in a `generated` folder; attributes of generated code that are assigned."""
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if self.view.roles.generated and self._resilient(node):
                yield self.finding(node)
        elif isinstance(node, ast.Assign):
            if any(isinstance(t, ast.Attribute) and self._generated(t.value) for t in node.targets):
                yield self.finding(node)
        elif isinstance(node, ast.Call):
            patches = last_name(node.func) == "setattr" or self.resolver.name(node.func).endswith(
                ("patch.object", "wrapt.wrap_function_wrapper")
            )
            if patches and node.args and self._generated(node.args[0]):
                yield self.finding(node)

    def _resilient(self, node: ast.Import | ast.ImportFrom) -> bool:
        if isinstance(node, ast.Import):
            return any(a.name.split(".")[0] in LIBRARIES for a in node.names)
        module = node.module or ""
        return module.split(".")[0] in LIBRARIES or "resilience" in module.split(".")

    def _generated(self, node: ast.expr) -> bool:
        return "generated" in self.resolver.name(node).split(".")
