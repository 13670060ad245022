"""Retry policies of the libraries in use, and what runs under one."""

import ast
import re
from collections.abc import Iterator

from .binding import CALLABLES, FUNCTIONS, LOOPS, Binding
from .flow import reaching
from .resolver import Resolver
from .sleeps import loop_of
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
    "backoff.on_exception",
    "backoff.on_predicate",
    "retry.retry",
    "retrying.retry",
    "aioretry.retry",
}
RETRY_NAME = re.compile(r"^_?(retry|retrying|retries|with_retry|with_retries|retryable|retrier)$", re.IGNORECASE)
BREAKER_NAME = re.compile(r"(circuit_?breaker|breaker|bulkhead|^circuit$)", re.IGNORECASE)
BREAKERS = {
    "aiobreaker.CircuitBreaker",
    "pybreaker.CircuitBreaker",
    "circuitbreaker.circuit",
    "circuitbreaker.CircuitBreaker",
    "purgatory.AsyncCircuitBreakerFactory",
}
BREAKER_PACKAGES = ("aiobreaker", "pybreaker", "circuitbreaker", "purgatory", "aiocircuitbreaker")


class Retries:
    """Answers about one source."""

    def __init__(self, source: Source, resolver: Resolver) -> None:
        self.source = source
        self.resolver = resolver
        self._under: dict[ast.AST, bool] = {}
        self._own: dict[ast.AST, bool] = {}
        self._policies: dict[ast.AST, str] = {}

    def policy(self, node: ast.AST | None, depth: int = 0) -> str:
        """The policy (`tenacity.retry`) that an expression is or makes, or nothing."""
        if node is None or depth > 6:
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
        if isinstance(node, ast.Call):
            if last_name(node.func) == "partial" and node.args:
                return self.policy(node.args[0], depth + 1)
            return self.policy(node.func, depth + 1)
        if isinstance(node, ast.Attribute) and node.attr in ("wraps", "call", "copy"):
            return self.policy(node.value, depth + 1)
        for made in self.resolver.made_by(node):
            found = self.policy(made, depth + 1)
            if found:
                return found
        own = self.resolver.function_of(node)
        if isinstance(own, FUNCTIONS) and self._is_own_decorator(own, depth):
            return f"<here>.{own.name}"
        for binding in self._bindings(node):
            if binding.kind == "import" and RETRY_NAME.search(binding.dotted.rpartition(".")[2]):
                return binding.dotted
        return ""

    def breaker(self, node: ast.AST | None) -> bool:
        """Whether an expression is a breaker or a bulkhead: by library, or by name."""
        if node is None:
            return False
        kinds = (self.resolver.name(node), self.resolver.kind(node), self.resolver.name(getattr(node, "func", None)))
        if any(k in BREAKERS or k.partition(".")[0] in BREAKER_PACKAGES for k in kinds if k):
            return True
        return bool(BREAKER_NAME.search(last_name(node)))

    def under_retry(self, node: ast.AST) -> bool:
        """Whether a node is repeated by a retry: a policy's loop, a home-made one, or the function's decorator."""
        for parent in self.source.ancestors(node):
            if isinstance(parent, (ast.For, ast.AsyncFor)) and self.policy(parent.iter):
                return True
            if isinstance(parent, (ast.With, ast.AsyncWith)) and any(self.policy(i.context_expr) for i in parent.items):
                return True
            if isinstance(parent, CALLABLES):
                return self._function(parent) or self.is_repeated(node) or self._said_before(node)
        return self.is_repeated(node)

    def is_repeated(self, node: ast.AST) -> bool:
        """Whether a loop around `try` sends the same again after an error."""
        loop = loop_of(self.source, node)
        while loop is not None:
            if isinstance(loop, LOOPS) and self._tries_again(loop, node):
                return True
            loop = loop_of(self.source, loop)
        return False

    def _is_own_decorator(self, function: ast.FunctionDef | ast.AsyncFunctionDef, depth: int) -> bool:
        """A decorator of this file that retries: by a library's policy, or by a loop around the function it was given."""
        known = self._own.get(function)
        if known is None:
            self._own[function] = False
            known = self._own[function] = self._find_own(function, depth)
        return known

    def _find_own(self, function: ast.FunctionDef | ast.AsyncFunctionDef, depth: int) -> bool:
        given = {a.arg for a in function.args.args} - {"self", "cls"}
        nested = [n for n in ast.walk(function) if isinstance(n, FUNCTIONS) and n is not function]
        if not given or isinstance(function, ast.AsyncFunctionDef):
            return False
        for call in (n for n in ast.walk(function) if isinstance(n, ast.Call)):
            calls_given = isinstance(call.func, ast.Name) and call.func.id in given
            if calls_given and nested and self.is_repeated(call):
                return True
            hands_on = any(isinstance(a, ast.Name) and a.id in given for a in call.args)
            if hands_on and self.policy(call.func, depth + 1):
                return True
        return any(self.policy(d, depth + 1) for n in nested for d in n.decorator_list)

    def _said_before(self, node: ast.AST) -> bool:
        """Whether a handler sends what its `try` sent: a second attempt without a loop."""
        handler = next((a for a in self.source.ancestors(node) if isinstance(a, (ast.ExceptHandler, *CALLABLES))), None)
        attempt = self.source.parents.get(handler) if isinstance(handler, ast.ExceptHandler) else None
        if not isinstance(attempt, ast.Try):
            return False
        said = ast.dump(node)
        return any(isinstance(n, ast.Call) and ast.dump(n) == said for s in attempt.body for n in ast.walk(s))

    def _calls_itself_again(self, function: ast.AST) -> bool:
        """Whether a handler calls the function that it is in."""
        return any(
            isinstance(call, ast.Call) and self.resolver.function_of(call.func) is function
            for handler in (n for n in self.source.local(function) if isinstance(n, ast.ExceptHandler))
            for call in self.source.local(handler)
        )

    def _tries_again(self, loop: ast.AST, node: ast.AST) -> bool:
        inside = list(self.source.ancestors(node))
        inside = inside[: inside.index(loop)]
        attempt = next(
            (a for a in inside if isinstance(a, ast.Try) and not any(self._gives_up(h) for h in a.handlers)), None
        )
        if attempt is None or not attempt.handlers or any(isinstance(a, ast.ExceptHandler) for a in inside):
            return False
        if not any(isinstance(n, (ast.Return, ast.Break)) for n in self.source.local(loop)) and not isinstance(
            loop, ast.While
        ):
            return False
        if isinstance(loop, (ast.For, ast.AsyncFor)):
            names = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
            return not any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node))
        return (
            not any(isinstance(n, ast.NamedExpr) for n in ast.walk(loop.test)) if isinstance(loop, ast.While) else False
        )

    def _gives_up(self, handler: ast.ExceptHandler) -> bool:
        last = handler.body[-1]
        return isinstance(last, (ast.Return, ast.Break, ast.Raise))

    def _function(self, function: ast.AST) -> bool:
        known = self._under.get(function)
        if known is None:
            self._under[function] = False
            known = self._under[function] = self._find(function)
        return known

    def _find(self, function: ast.AST) -> bool:
        if isinstance(function, FUNCTIONS):
            if any(self.policy(d) for d in function.decorator_list):
                return True
            if any(self.under_retry(call) for call in self.resolver.callers(function)):
                return True
        if not isinstance(function, CALLABLES):
            return False
        if self._calls_itself_again(function):
            return True
        return any(self.policy(call.func) for call in self.resolver.given_to(function))

    def _bindings(self, node: ast.AST) -> Iterator[Binding]:
        if isinstance(node, ast.Name):
            yield from reaching(self.source, node.id, node)
