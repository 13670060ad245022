"""R-RES-TO-X1, for calls that block."""

import ast
from collections.abc import Iterator

from ..clients import BLOCKING
from ..finding import Finding, Rule

SAYS_HOW_LONG = {"httpx.Client": "timeout", "aiohttp.ClientTimeout": "total", "aiohttp.ClientSession": "timeout"}


class NoTimeout(Rule):
    """A blocking call without a timeout.

    `requests` and `urllib` wait for ever by default: the thread is gone until the other side lets go. Pass `timeout=` from the system's
    settings; better, send it through the system's guard. (Of calls that are awaited ASYNC-3 speaks.)
    """

    code = "TO-X1"
    nodes = (ast.Call,)
    needs = (
        ("requests", "urllib", "None"),
        ("requests", "urllib", "httpx.Client", "Client(", "aiohttp", "ClientTimeout"),
    )

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A call of requests, urllib or urllib3 with no timeout of its own, or with None."""
        if not isinstance(node, ast.Call):
            return
        sent = self.view.http.outbound(node)
        if self._for_ever(node) or (
            sent is not None and sent.library in BLOCKING and not self.view.http.bounds_itself(node, sent)
        ):
            yield self.finding(node)

    def _for_ever(self, call: ast.Call) -> bool:
        """A client or a limit that says None: `httpx.Client(timeout=None)`, `ClientTimeout(total=None)`."""
        name = SAYS_HOW_LONG.get(self.resolver.name(call.func))
        given = self.values.mapping(call)[0].get(name) if name else None
        return isinstance(given, ast.expr) and self.values.is_none(given)
