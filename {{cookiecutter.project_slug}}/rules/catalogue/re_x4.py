"""R-RES-RE-X4."""

import ast
import re
from collections.abc import Iterator

from ..binding import FUNCTIONS
from ..finding import Finding, Rule
from ..syntax import keyword, last_name

TRANSPORTS = {"httpx.AsyncHTTPTransport", "httpx.HTTPTransport"}
PLUGINS = {
    "aiohttp_retry",
    "httpx_retries",
    "httpx_retry",
    "httpx_retryable",
    "requests_retry",
    "requests_ratelimiter",
    "retryhttp",
    "urllib3_retry",
    "retryablehttp",
    "retry_requests",
    "hyx",
}
RETRY_CLASS = re.compile(r"^(urllib3|requests)\b.*\.Retry$")
SDK = re.compile(r"(Client|OpenAI|Anthropic|Adapter|Session|Manager|Pool|Transport|Connector|Service|Api|API|Config)$")
COUNTS = ("max_retries", "retries", "retry_config", "max_attempts", "retry_options", "retry_policy", "total_retries")


class SecondRetry(Rule):
    """A second retry mechanism: in the transport, or by a client's plug-in.

    Retries multiply (3 x 3 requests for one call), know neither keys nor budget, and escape breaker and metrics. Leave
    `retries` at 0 and let the kit's one retry do it.
    """

    code = "RE-X4"
    nodes = (ast.Module,)
    needs = (("retries", "Retry", "retry_", *sorted(PLUGINS), "urllib3", "Transport"),)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Transports and clients with retries, by argument or by plug-in; the import of a plug-in that nothing here builds."""
        calls = [c for c in self.source.nodes(ast.Call) if self._retries(c)]
        inner = {n for c in calls for n in ast.walk(c) if n is not c}
        yield from (self.finding(c) for c in calls if c not in inner)
        yield from (self.finding(a) for a in self.source.nodes(ast.Assign) if self._set_later(a))
        yield from (self.finding(c) for c in self.source.nodes(ast.ClassDef) if self._repeats(c))
        used = {p for c in calls for p in self._brought_by(c)}
        statements: list[ast.Import | ast.ImportFrom] = [
            *self.source.nodes(ast.Import),
            *self.source.nodes(ast.ImportFrom),
        ]
        for statement in statements:
            brought = self._plugins(statement)
            if brought and not brought & used:
                yield self.finding(statement)

    def _repeats(self, node: ast.ClassDef) -> bool:
        """A transport of one's own that sends again."""
        if not any(b.endswith("Transport") for b in self.resolver.bases(node)):
            return False
        handling = [m for m in node.body if isinstance(m, FUNCTIONS) and m.name.startswith("handle_")]
        repeats = self.view.retries.repeats
        return any(
            repeats.loop_around(c) is not None for m in handling for c in self.resolver.calls_in(m) if self._hands_on(c)
        )

    def _hands_on(self, call: ast.Call) -> bool:
        return last_name(call.func).startswith("handle_")

    def _plugins(self, node: ast.Import | ast.ImportFrom) -> set[str]:
        """The plug-ins that an import brings."""
        if isinstance(node, ast.Import):
            return {a.name.split(".")[0] for a in node.names} & PLUGINS
        module = node.module or ""
        if node.level:
            return set()
        retry = {f"{module}.{a.name}" for a in node.names if RETRY_CLASS.match(f"{module}.{a.name}")}
        return ({module.split(".")[0]} & PLUGINS) | retry

    def _brought_by(self, call: ast.Call) -> set[str]:
        """The plug-ins that a call builds on, its arguments and what they were made by included."""
        seen = [call, *(n for n in ast.walk(call) if isinstance(n, ast.Call))]
        seen += [
            m for n in ast.walk(call) if isinstance(n, (ast.Name, ast.Attribute)) for m in self.resolver.made_by(n)
        ]
        names = [self.resolver.name(c.func) for c in seen]
        return {n.split(".")[0] for n in names} | {n for n in names if RETRY_CLASS.match(n)}

    def _retries(self, call: ast.Call) -> bool:
        name = self.resolver.name(call.func)
        if last_name(call.func) in ("import_module", "__import__"):
            return name.split(".")[0] in PLUGINS or any(t.split(".")[0] in PLUGINS for t in self._first(call))
        if name.split(".")[0] in PLUGINS:
            return bool(SDK.search(name))
        if RETRY_CLASS.match(name):
            return isinstance(call.func, ast.Attribute)  # a name that was imported is found at its use or its import
        if self._transport(call):
            retries = self.values.mapping(call)[0].get("retries")
            return retries is not None and not self._zero(retries)
        if not SDK.search(last_name(call.func)) or not self._is_foreign(name, call):
            return False
        given = self.values.mapping(call)[0]
        return any(not self._zero(given[k]) for k in COUNTS if k in given)

    def _is_foreign(self, name: str, call: ast.Call) -> bool:
        """A class that some library brings, as far as its import shows."""
        if name.startswith(("<here>", ".")) or not name:
            return False
        if last_name(call.func) == "Config":
            return name.startswith("botocore")
        elsewhere = self.resolver.elsewhere
        return "." in name and (elsewhere is None or isinstance(elsewhere.follow(name), str))

    def _first(self, call: ast.Call) -> list[str]:
        return self.values.texts(call.args[0]) if call.args else []

    def _set_later(self, node: ast.Assign) -> bool:
        """`stripe.max_network_retries = 2`."""
        target = node.targets[0]
        if not isinstance(target, ast.Attribute) or target.attr not in (
            "max_network_retries",
            "max_retries",
            "retries",
        ):
            return False
        if isinstance(target.value, ast.Name) and target.value.id in ("self", "cls"):
            return False
        return not self._zero(node.value)

    def _zero(self, retries: object) -> bool:
        if isinstance(retries, ast.Call) and self.resolver.name(retries.func).endswith("Retry"):
            total = retries.args[0] if retries.args else keyword(retries, "total")
            return total is not None and self._zero(total)
        return (self.values.of(retries) if isinstance(retries, ast.AST) else [retries]) in ([0], [None], [False])

    def _transport(self, call: ast.Call) -> bool:
        name = self.resolver.name(call.func)
        if name in TRANSPORTS:
            return True
        if last_name(call.func) == "partial" and call.args:
            return self.resolver.name(call.args[0]) in TRANSPORTS
        owner = None
        if (
            last_name(call.func) == "__init__"
            and isinstance(call.func, ast.Attribute)
            and last_name(call.func.value) == "super"
        ):
            owner = self.source.owner(call)
        elif name.startswith("<here>."):
            bindings = self.source.module.names.get(name.partition(".")[2], ())
            owner = next((b.node for b in bindings if isinstance(b.node, ast.ClassDef)), None)
        return owner is not None and bool(TRANSPORTS & set(self.resolver.bases(owner)))
