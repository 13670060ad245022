"""R-RES-ISO-X1."""

import ast
import re
from collections.abc import Iterator

from ..finding import Finding, Rule

NAMED = re.compile(r"\b\w+(?:Adapter|Gateway|Client|Facade|Api|Connector)\b")


class SharedBySystems(Rule):
    """Two external systems share one client, breaker or bulkhead.

    A slow system then takes the connections, permits and trust of the other: one outage becomes two. Build one of each per system, from
    that system's own settings.
    """

    code = "ISO-X1"
    nodes = (ast.Module,)
    needs = (
        ("lient", "http", "reaker", "ulkhead", "sem", "Sem", "limiter", "gate", "guard", "session", "ransport", "pool"),
    )

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Files in which two adapters can be named."""
        if not super().concerns(text, parts):
            return False
        return text.count("outbound") > 1 or len(set(NAMED.findall(text)) - {"AsyncClient"}) > 1

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """The second adapter, of another system, that is given the same object; two that use one of the module."""
        yield from map(self.finding, self.view.sharing.found)
