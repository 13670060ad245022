"""R-RES-RE-X4."""

import ast
from collections.abc import Iterator

from ..finding import Finding, Rule
from ..syntax import last_name

TRANSPORTS = {"httpx.AsyncHTTPTransport", "httpx.HTTPTransport"}
PLUGINS = {
    "aiohttp_retry",
    "httpx_retries",
    "httpx_retry",
    "requests_retry",
    "retryhttp",
    "urllib3_retry",
    "retryablehttp",
}
PLUGIN_NAMES = {
    "urllib3.util.Retry",
    "urllib3.Retry",
    "urllib3.util.retry.Retry",
    "requests.packages.urllib3.util.retry.Retry",
}


class SecondRetry(Rule):
    """A second retry mechanism: in the transport, or by a client's plug-in.

    Retries multiply (3 x 3 requests for one call), know neither keys nor budget, and escape breaker and metrics. Leave
    `retries` at 0 and let the kit's one retry do it.
    """

    code = "RE-X4"
    nodes = (ast.Import, ast.ImportFrom, ast.Call)
    needs = (("retries", *sorted(PLUGINS), "urllib3"),)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Imports of retrying plug-ins and transports with retries."""
        if isinstance(node, ast.Import):
            if any(a.name.split(".")[0] in PLUGINS for a in node.names):
                yield self.finding(node)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if module.split(".")[0] in PLUGINS or any(f"{module}.{a.name}" in PLUGIN_NAMES for a in node.names):
                yield self.finding(node)
        elif isinstance(node, ast.Call) and self._transport(node):
            retries = self.values.mapping(node)[0].get("retries")
            if retries is not None and not self._zero(retries):
                yield self.finding(node)
        elif isinstance(node, ast.Call) and last_name(node.func) == "HTTPAdapter":
            retries = self.values.mapping(node)[0].get("max_retries")
            if retries is not None and not self._zero(retries):
                yield self.finding(node)

    def _zero(self, retries: object) -> bool:
        return (self.values.of(retries) if isinstance(retries, ast.AST) else [retries]) in ([0], [None])

    def _transport(self, call: ast.Call) -> bool:
        if self.resolver.name(call.func) in TRANSPORTS:
            return True
        if last_name(call.func) == "partial" and call.args:
            return self.resolver.name(call.args[0]) in TRANSPORTS
        if (
            last_name(call.func) == "__init__"
            and isinstance(call.func, ast.Attribute)
            and last_name(call.func.value) == "super"
        ):
            owner = self.source.owner(call)
            return owner is not None and bool(TRANSPORTS & set(self.resolver.bases(owner)))
        return False
