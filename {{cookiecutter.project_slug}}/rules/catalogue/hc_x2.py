"""R-RES-HC-X2."""

import ast
import re
from collections.abc import Iterator

from ..clients import WRITES
from ..finding import Finding, Rule
from ..roles import PROBE_FILE
from ..syntax import argument, last_name

WORDS = re.compile(
    r"\bdef \w*(ping|probe|health|is_alive|is_up|read(y|iness)|live|heartbeat)|\bclass \w*(Health|Probe|Readiness|Liveness|Heartbeat)"
    r"|@probe|Indicator\(|HealthCheck\(|_(probe|check|indicator)\("
)
SPOKEN = (
    *("health", "Health", "probe", "Probe", "ping(", "ping_", "eadiness", "iveness", "eartbeat", "alive", "is_up"),
    *("livez", "readyz", "def ready", "def live", "Indicator(", "_check("),
)
BUSINESS = re.compile(
    r"^(create|submit|cancel|send|pay|charge|issue|place|book|register|confirm|refund|update|delete|insert|add|approve|reserve|transfer|enqueue|execute|start|open|publish|remove|save|store|write|put|close|sign|order|withdraw|deposit|activate|block|upload|notify|push|set|authorize|authorise|capture|void|schedule|print|ship|assign|grant|revoke|subscribe|import|replace|patch|post|make|request_pickup|withhold|hold|release|commit|lock)(_|[A-Z]|$)"
)
TARGET = re.compile(
    r"(adapter|client|http|port|gateway|api|sdk|system|session|provider|facade|connector|proxy|sender|service)$",
    re.IGNORECASE,
)
HARMLESS = re.compile(
    r"(log|logger|logging|metrics?|counter|gauge|histogram|span|tracer|lock|event|cache|registry|task|tasks|probing|running|group|loop|stack|errors?|names?|results?|states?|statuses|response|reply|headers|self|cls|asyncio|json|span|timer|history|indicators?|checks|sem|semaphore|buffer|stream|out|parts|lines|app|router|blueprint|routes)$",
    re.IGNORECASE,
)
OWN = {
    "send",
    "add",
    "start",
    "open",
    "update",
    "execute",
    "close",
    "set",
    "put",
    "push",
    "write",
    "commit",
    "lock",
    "release",
    "print",
    "make",
}
WRITING_SQL = re.compile(r"^\s*(insert|update|delete|merge|truncate|create|drop|alter)\b", re.IGNORECASE)
EXECUTES = {"execute", "exec_driver_sql", "executemany", "scalar", "fetchval", "fetchrow", "fetch"}


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
        if PROBE_FILE.search(parts[-1]):
            return True
        return any(word in text for word in SPOKEN) and WORDS.search(text) is not None

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Writing methods and business calls in a health indicator or a method marked as a probe."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return
        writes = self._sends_write(node) or self._is_business(node.func) or self._writes_rows(node)
        if writes and self.view.roles.in_probe(node):
            yield self.finding(node)

    def _sends_write(self, call: ast.Call) -> bool:
        sent = self.view.http.outbound(call)
        if sent is not None:
            return sent.method in WRITES
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if not isinstance(call.func, ast.Attribute) or HARMLESS.search(last_name(call.func.value)):
            return False
        if method in ("request", "stream"):
            return self.view.http.verb(argument(call, 0, "method")) in WRITES
        return method in WRITES

    def _is_business(self, method: ast.Attribute) -> bool:
        """`adapter.create_order(...)`, `api.createOrder(...)`."""
        if BUSINESS.match(method.attr) is None or method.attr in OWN or HARMLESS.search(last_name(method.value)):
            return False
        if isinstance(self.source.function(method), ast.AsyncFunctionDef):
            return self._waited_for(method)
        return TARGET.search(last_name(method.value)) is not None

    def _waited_for(self, method: ast.Attribute) -> bool:
        """Awaited, or handed to something that awaits it; `task.cancel()` goes nowhere."""
        return isinstance(
            self.source.parents.get(self.source.parents[method]), (ast.Await, ast.Call, ast.keyword, ast.withitem)
        )

    def _writes_rows(self, call: ast.Call) -> bool:
        """`session.execute(text("INSERT ..."))`: a row that is written to see whether one can be."""
        if last_name(call.func) not in EXECUTES or not call.args:
            return False
        statement = call.args[0]
        if isinstance(statement, ast.Call) and self.resolver.name(statement.func).rpartition(".")[2] in (
            "insert",
            "delete",
            "update",
        ):
            return True
        return any(WRITING_SQL.match(t) for t in self.values.texts(statement))
