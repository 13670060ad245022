"""R-RES-ASYNC-3, and with it R-RES-TO-X1."""

import ast
from collections.abc import Iterator

from ..clients import BLOCKING, SENDS
from ..finding import Finding, Rule


class NoDeadline(Rule):
    """An outbound call without a deadline around it.

    Retry, bulkhead and breaker do not end a call that hangs, and the client's timeouts count each read anew. Send it through the
    system's guard, or put `async with asyncio.timeout(settings.total_timeout)` around it.
    """

    code = "ASYNC-3"
    nodes = (ast.Call,)
    needs = (
        (
            "httpx",
            "client",
            "Client",
            "http.",
            "http)",
            "http:",
            "open_connection",
            "aiohttp",
            "websockets",
            "connect_tcp",
            "import get",
        ),
        SENDS,
    )

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A call of a client that nothing bounds; a receiver known by name only is a suspicion."""
        if not isinstance(node, ast.Call):
            return
        if self.view.roles.generated:
            return  # what generated code sends is bounded where the adapter calls it
        sent = self.view.http.outbound(node)
        if (
            sent is None
            or sent.library in BLOCKING
            or (self.view.http.blocks(node, sent) and self.view.http.says_none(node))
            or self.view.deadlines.bounds(node)
            or self.view.http.bounds_itself(node, sent)
        ):
            return
        yield self.finding(node, level="error" if sent.certain else "warning")
