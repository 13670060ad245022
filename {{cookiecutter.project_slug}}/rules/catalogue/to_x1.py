"""R-RES-TO-X1, for calls that block."""

import ast
from collections.abc import Iterator

from ..clients import BLOCKING, CLIENTS
from ..finding import Finding, Rule

SAYS_HOW_LONG = {"httpx.Client": "timeout", "aiohttp.ClientTimeout": "total", "aiohttp.ClientSession": "timeout"}


class NoTimeout(Rule):
    """A call without a timeout.

    `requests` and `urllib` wait for ever by default: the thread is gone until the other side lets go. Pass `timeout=` from the system's
    settings; better, send it through the system's guard. (Of calls that are awaited ASYNC-3 speaks.)
    """

    code = "TO-X1"
    nodes = (ast.Call, ast.Assign)
    needs = (
        (
            "requests",
            "urllib",
            "aiohttp.Client",
            "ClientTimeout",
            "httpx.Client",
            "httpx.get",
            "httpx.post",
            "timeout=None",
            "timeout = None",
        ),
    )

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A blocking call with no timeout of its own, or with None; a client that is told to wait for ever."""
        if isinstance(node, ast.Assign):
            target = node.targets[0]
            named = isinstance(target, ast.Attribute) and target.attr == "timeout" and self.values.is_none(node.value)
            if named and isinstance(target, ast.Attribute) and self.resolver.kind(target.value) in CLIENTS:
                yield self.finding(node)
        elif isinstance(node, ast.Call) and (self._for_ever(node) or self._unbounded(node)):
            yield self.finding(node)

    def _unbounded(self, call: ast.Call) -> bool:
        sent = self.view.http.outbound(call)
        if sent is None:
            return False
        if self.view.http.says_none(call):
            return sent.certain
        return sent.library in BLOCKING and not self.view.http.bounds_itself(call, sent)

    def _for_ever(self, call: ast.Call) -> bool:
        """A client or a limit that says None: `httpx.Client(timeout=None)`, `ClientTimeout(total=None)`."""
        name = SAYS_HOW_LONG.get(self.resolver.name(call.func))
        given = self.values.mapping(call)[0].get(name) if name else None
        return isinstance(given, ast.expr) and self.values.is_none(given)
