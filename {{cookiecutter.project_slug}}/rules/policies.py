"""Retry policies and breakers: those of the libraries in use, and what is made from them here and in other modules."""

import ast
import re
from collections.abc import Iterator

from .binding import FUNCTIONS, Binding, Function
from .flow import reaching
from .repeats import Repeats
from .resolver import Resolver
from .source import Source
from .syntax import last_name

POLICIES = {
    "tenacity.retry",
    "tenacity.AsyncRetrying",
    "tenacity.Retrying",
    "tenacity.TornadoRetrying",
    "tenacity.BaseRetrying",
    "stamina.retry",
    "stamina.retry_context",
    "stamina.AsyncRetryingCaller",
    "stamina.RetryingCaller",
    "stamina.BoundAsyncRetryingCaller",
    "stamina.BoundRetryingCaller",
    "backoff.on_exception",
    "backoff.on_predicate",
    "retry.retry",
    "retry.api.retry_call",
    "retrying.retry",
    "aioretry.retry",
    "async_retrying.retry",
    "google.api_core.retry.Retry",
    "google.api_core.retry.AsyncRetry",
    "google.api_core.retry_async.AsyncRetry",
}
PASSED_ON = ("wraps", "call", "copy", "on", "retry_with", "with_", "begin", "__call__")
RETRY_NAME = re.compile(
    r"^_?(retry|retrying|retries|with_retry|with_retries|retryable|retrier|retry_call|retry_async|retried)$",
    re.IGNORECASE,
)
BREAKER_NAME = re.compile(r"(circuit_?breaker|breaker|bulkhead|^circuit$)", re.IGNORECASE)
BREAKERS = {
    "aiobreaker.CircuitBreaker",
    "pybreaker.CircuitBreaker",
    "circuitbreaker.circuit",
    "circuitbreaker.CircuitBreaker",
    "purgatory.AsyncCircuitBreakerFactory",
    "purgatory.SyncCircuitBreakerFactory",
}
BREAKER_PACKAGES = ("aiobreaker", "pybreaker", "circuitbreaker", "purgatory", "aiocircuitbreaker", "lasier")
DEEPEST = 6  # names that stand for names


class Policies:
    """Answers about one source."""

    def __init__(self, source: Source, resolver: Resolver, repeats: Repeats) -> None:
        self.source = source
        self.resolver = resolver
        self.repeats = repeats
        self._policies: dict[ast.AST, str] = {}
        self._own: dict[ast.AST, bool] = {}

    def policy(self, node: ast.AST | None, depth: int = 0) -> str:
        """The policy (`tenacity.retry`) that an expression is or makes, or nothing."""
        if node is None or depth > DEEPEST:
            return ""
        known = self._policies.get(node)
        if known is None:
            self._policies[node] = ""  # what a policy that refers to itself sees
            known = self._policies[node] = self._policy(node, depth)
        return known

    def _policy(self, node: ast.AST, depth: int) -> str:
        name = self.resolver.name(node)
        if name in POLICIES:
            return name
        kind = self.resolver.kind(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
        if kind in POLICIES:
            return kind
        if isinstance(node, ast.Call):
            if last_name(node.func) == "partial" and node.args:
                return self.policy(node.args[0], depth + 1)
            return self.policy(node.func, depth + 1)
        if isinstance(node, ast.Attribute) and node.attr in PASSED_ON:
            found = self.policy(node.value, depth + 1) or self._decorated_with(node, depth)
            if found:
                return found
        for made in self.resolver.made_by(node):
            found = self.policy(made, depth + 1)
            if found:
                return found
        own = self.resolver.function_of(node)
        if isinstance(own, FUNCTIONS):
            found = self.returned(own, depth)
            if found or self._is_own(own, depth):
                return found or f"<here>.{own.name}"
        return self._foreign(node, name, depth) or self._by_name(node)

    def breaker(self, node: ast.AST | None) -> bool:
        """Whether an expression is a breaker or a bulkhead: by library, or by name."""
        if node is None:
            return False
        kinds = (self.resolver.name(node), self.resolver.kind(node), self.resolver.name(getattr(node, "func", None)))
        if any(k in BREAKERS or k.partition(".")[0] in BREAKER_PACKAGES for k in kinds if k):
            return True
        return bool(BREAKER_NAME.search(last_name(node)))

    def _decorated_with(self, node: ast.Attribute, depth: int) -> str:
        """`fetch.retry_with(...)` of a function that a policy decorates."""
        function = self.resolver.function_of(node.value) if node.attr == "retry_with" else None
        decorators = function.decorator_list if isinstance(function, FUNCTIONS) else []
        return next((p for d in decorators for p in [self.policy(d, depth + 1)] if p), "")

    def _foreign(self, node: ast.AST, name: str, depth: int) -> str:
        """A policy or a retrying helper that another module of the tree makes."""
        elsewhere = self.resolver.elsewhere
        if elsewhere is None or "." not in name or not isinstance(node, (ast.Name, ast.Attribute)):
            return ""
        value = elsewhere.value(name)
        if value is not None:
            view, expression = value
            return view.retries.policies.policy(expression, depth + 1)
        there = self.resolver.foreign(node)
        if there is None or not isinstance(there.function, FUNCTIONS):
            return ""
        policies = there.view.retries.policies
        return policies.returned(there.function, depth + 1) or (
            name if policies._is_own(there.function, depth + 1) else ""
        )

    def returned(self, function: Function, depth: int) -> str:
        """The policy that a function makes for whoever calls it."""
        returns = [n.value for n in self.source.local(function) if isinstance(n, ast.Return)]
        return next((p for r in returns for p in [self.policy(r, depth + 1)] if p), "")

    def _by_name(self, node: ast.AST) -> str:
        for binding in self._bindings(node):
            if binding.kind == "import" and RETRY_NAME.search(binding.dotted.rpartition(".")[2]):
                return binding.dotted
        return ""

    def _is_own(self, function: Function, depth: int) -> bool:
        """A function that retries what it is given: by a library's policy, or by a loop around the call."""
        known = self._own.get(function)
        if known is None:
            self._own[function] = False
            known = self._own[function] = self._find_own(function, depth)
        return known

    def _find_own(self, function: Function, depth: int) -> bool:
        given = {a.arg for a in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}
        given -= {"self", "cls"}
        nested = [n for n in ast.walk(function) if isinstance(n, FUNCTIONS) and n is not function]
        if not given and not nested:
            return False
        given |= {a.arg for n in nested for a in n.args.args}
        for call in (n for n in ast.walk(function) if isinstance(n, ast.Call)):
            calls_given = isinstance(call.func, ast.Name) and call.func.id in given
            if calls_given and (self.repeats.loop_around(call) is not None or self._in_policy(call, depth)):
                return True
            hands_on = any(isinstance(a, ast.Name) and a.id in given for a in call.args)
            if hands_on and self.policy(call.func, depth + 1):
                return True
        return any(self.policy(d, depth + 1) for n in nested for d in n.decorator_list)

    def _in_policy(self, node: ast.AST, depth: int) -> bool:
        """Whether a `for attempt in policy` is around a node."""
        return any(
            isinstance(a, (ast.For, ast.AsyncFor)) and self.policy(a.iter, depth + 1)
            for a in self.source.ancestors(node)
        )

    def _bindings(self, node: ast.AST) -> Iterator[Binding]:
        if isinstance(node, ast.Name):
            yield from reaching(self.source, node.id, node)
