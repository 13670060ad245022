"""R-RES-CFG-X1."""

import ast
import math
from collections.abc import Iterator

from ..arithmetic import UNKNOWN
from ..finding import Finding, Rule
from ..syntax import keyword, last_name

# call -> the arguments that are resilience numbers (None: every one)
NUMBERS: dict[str, tuple[str, ...] | None] = {
    "httpx.Timeout": None,
    "httpx.Limits": None,
    "httpx.AsyncClient": ("timeout",),
    "httpx.Client": ("timeout",),
    "aiohttp.ClientTimeout": None,
    "aiohttp.TCPConnector": ("limit", "limit_per_host"),
    "aiohttp.ClientSession": ("timeout", "read_timeout", "conn_timeout"),
    "urllib3.Timeout": None,
    "urllib3.PoolManager": ("timeout", "maxsize", "num_pools"),
    "asyncio.Semaphore": None,
    "asyncio.BoundedSemaphore": None,
    "anyio.Semaphore": None,
    "anyio.CapacityLimiter": None,
    "trio.CapacityLimiter": None,
    "trio.Semaphore": None,
    "threading.Semaphore": None,
    "threading.BoundedSemaphore": None,
    "asyncio.timeout": None,
    "async_timeout.timeout": None,
    "anyio.fail_after": None,
    "anyio.move_on_after": None,
    "trio.fail_after": None,
    "trio.move_on_after": None,
    "tenacity.stop_after_attempt": None,
    "tenacity.stop_after_delay": None,
    "tenacity.stop_before_delay": None,
    "tenacity.wait_exponential": None,
    "tenacity.wait_exponential_jitter": None,
    "tenacity.wait_random_exponential": None,
    "aiobreaker.CircuitBreaker": ("fail_max", "timeout_duration"),
    "pybreaker.CircuitBreaker": ("fail_max", "reset_timeout", "success_threshold"),
    "circuitbreaker.circuit": ("failure_threshold", "recovery_timeout"),
    "circuitbreaker.CircuitBreaker": ("failure_threshold", "recovery_timeout"),
    "purgatory.AsyncCircuitBreakerFactory": ("default_threshold", "default_ttl"),
    "purgatory.SyncCircuitBreakerFactory": ("default_threshold", "default_ttl"),
    "stamina.retry": ("attempts", "timeout", "wait_initial", "wait_max", "wait_jitter"),
    "stamina.retry_context": ("attempts", "timeout", "wait_initial", "wait_max", "wait_jitter"),
    "stamina.AsyncRetryingCaller": ("attempts", "timeout", "wait_initial", "wait_max", "wait_jitter"),
    "stamina.RetryingCaller": ("attempts", "timeout", "wait_initial", "wait_max", "wait_jitter"),
    "backoff.on_exception": ("max_tries", "max_time", "max_value", "factor", "interval"),
    "backoff.on_predicate": ("max_tries", "max_time", "max_value", "factor", "interval"),
    "aiolimiter.AsyncLimiter": None,
}
WORDS = (
    *(
        "asyncio.",
        "httpx",
        "timeout",
        "tenacity",
        "stamina",
        "backoff",
        "reaker",
        "anyio",
        "trio",
        "emaphore",
        "aiohttp",
    ),
    *("urllib3", "requests", "aiolimiter", "purgatory", "wait_for", "circuit"),
)
NUMBERED = tuple(
    sorted({f"{name.rpartition('.')[2]}" for name in NUMBERS} | {"wait_for", "timeout=", "asyncio.wait", "wait("})
)
MUTEX = {name for name in NUMBERS if name.endswith(("Semaphore", "CapacityLimiter"))}


class LiteralNumber(Rule):
    """A resilience number is written into the code.

    It cannot be changed while the system is down, differs from the same number elsewhere, and has no reason beside it. Declare it in the
    system's settings (`CLIENT_<SYSTEM>__*`) and pass the setting.
    """

    code = "CFG-X1"
    nodes = (ast.Call,)
    needs = (WORDS, NUMBERED)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Timeouts, limits, attempts and breaker numbers that are literals, constants or defaults in this code."""
        if not isinstance(node, ast.Call) or self._in_settings(node):
            return
        name = self.resolver.name(node.func)
        if name in NUMBERS:
            if any(self._literal(a, name) for a in self._arguments(node, NUMBERS[name])):
                yield self.finding(node)
        elif name in ("asyncio.timeout_at", "async_timeout.timeout_at"):
            if node.args and isinstance(node.args[0], ast.BinOp) and self._literal(node.args[0].right, name):
                yield self.finding(node)
        elif name in ("asyncio.wait_for", "asyncio.wait", "asyncio.as_completed"):
            length = node.args[1] if len(node.args) > 1 and name == "asyncio.wait_for" else keyword(node, "timeout")
            if length is not None and self._literal(length, name):
                yield self.finding(node)
        elif self._sends(node):
            timeout = keyword(node, "timeout")
            if timeout is not None and self._literal(timeout, name):
                yield self.finding(node)

    def _sends(self, call: ast.Call) -> bool:
        return last_name(call.func) == "build_request" or self.view.http.outbound(call) is not None

    def _arguments(self, call: ast.Call, names: tuple[str, ...] | None) -> list[ast.expr]:
        given = self.values.mapping(call)[0]
        named = [_expression(v) for k, v in given.items() if names is None or k in names]
        return [*call.args, *named] if names is None or "CircuitBreaker" in ast.unparse(call.func) else named

    def _literal(self, node: ast.expr, name: str) -> bool:
        numbers = [n for n in self.values.seconds(node) if math.isfinite(n)]
        if not numbers or self._partly_known(node):
            return False
        return not (name in MUTEX and numbers == [1.0])

    def _partly_known(self, node: ast.expr) -> bool:
        """`max(left - 0.1, 0)` has a number in it and is none."""
        return isinstance(node, ast.Call) and any(UNKNOWN in self.values.of(a) for a in node.args)

    def _in_settings(self, node: ast.AST) -> bool:
        if self.source.parts[-1] in ("settings.py", "config.py"):
            return True
        owner = self.source.owner(node)
        if owner is None:
            return False
        names = [owner.name, *(b.rpartition(".")[2] for b in self.resolver.bases(owner))]
        return any(n.endswith(("Settings", "Config")) for n in names)


def _expression(value: object) -> ast.expr:
    """An argument as an expression; one that came out of a shown mapping is a value already."""
    if isinstance(value, ast.expr):
        return value
    return ast.Constant(value) if isinstance(value, (int, float)) else ast.Constant(None)
