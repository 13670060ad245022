"""R-RES-HC-X2."""

import ast
import re
from collections.abc import Iterator

from ..clients import WRITES
from ..finding import Finding, Rule
from ..syntax import keyword, last_name

BUSINESS = re.compile(
    r"^(create|submit|cancel|send|pay|charge|issue|place|book|register|confirm|refund|update|delete|insert|add|approve|reserve|transfer|enqueue|execute|start|open)(_|$)"
)
TARGET = re.compile(r"(adapter|client|http|call|port|gateway|api|sdk|system|transport|service|session)$", re.IGNORECASE)
OWN = {"send", "add", "start", "open", "update", "execute"}  # of too many harmless things, when nothing follows


class ProbeChangesState(Rule):
    """A health probe changes state in the external system.

    It runs every 30 s for ever, in every process: a write there is a write nobody ordered. Probe with `GET /health` or `OPTIONS`, never
    with a business call.
    """

    code = "HC-X2"
    nodes = (ast.Call,)

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Files that speak of probes or health, or are named so."""
        return any(word in text or word in parts[-1] for word in ("probe", "Probe", "health", "Health"))

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Writing methods and business calls in a health indicator or a method marked as a probe."""
        if (
            not isinstance(node, ast.Call)
            or not isinstance(node.func, ast.Attribute)
            or not self.view.roles.in_probe(node)
        ):
            return
        if not TARGET.search(last_name(node.func.value)):
            return
        method = node.func.attr
        if method == "request":
            named = keyword(node, "method") or (node.args[0] if node.args else None)
            if any(t.lower() in WRITES for t in self.values.texts(named)):
                yield self.finding(node)
        elif method in WRITES or (BUSINESS.match(method) and method not in OWN):
            yield self.finding(node)
