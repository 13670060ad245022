"""R-RES-WHERE-X1, and with it R-RES-CB-X1."""

import ast
import re
from collections.abc import Iterator

from ..binding import FUNCTIONS, Function
from ..finding import Finding, Rule
from ..syntax import last_name

LOCAL_WORK = re.compile(
    r"(^|_)(session|repo|repository|repositories|uow|unit_of_work|database|db|cursor)$", re.IGNORECASE
)


class ProtectedLocalWork(Rule):
    """A breaker, retry or bulkhead around local work: a repository, SQL, a request handler.

    It hides faults of our own, repeats transactions that may have been committed, and opens on our own bugs. Protect the outbound
    adapter's method; leave local work bare.
    """

    code = "WHERE-X1"
    nodes = (*FUNCTIONS, ast.Call, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)
    needs = (("retry", "Retry", "breaker", "Breaker", "bulkhead", "circuit", "backoff", "stamina"),)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Decorators of repositories and handlers, and protection around calls of local work."""
        if isinstance(node, FUNCTIONS):
            yield from self._decorators(node)
        elif isinstance(node, ast.Call):
            if self._protects(node) and (self.view.roles.in_repository(node) or self._local(node)):
                yield self.finding(node)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            if self.view.roles.in_repository(node) and self.view.retries.policy(node.iter):
                yield self.finding(node)
        elif isinstance(node, (ast.With, ast.AsyncWith)) and self.view.roles.in_repository(node):
            for item in node.items:
                expression = item.context_expr
                if self.view.retries.breaker(expression) and not isinstance(expression, ast.Call):
                    yield self.finding(node)

    def _decorators(self, function: Function) -> Iterator[Finding]:
        place = self.view.roles.in_repository(function) or self.view.roles.is_route(function)
        if not place:
            return
        for decorator in function.decorator_list:
            if self.view.retries.policy(decorator) or self._is_breaker(decorator):
                yield self.finding(decorator)

    def _is_breaker(self, decorator: ast.expr) -> bool:
        name = last_name(decorator)
        return name not in ("setter", "property") and self.view.retries.breaker(decorator)

    def _protects(self, call: ast.Call) -> bool:
        """`breaker.call(f)`, `AsyncRetrying(...)(f)`, `retrying(f)`."""
        if not call.args:
            return False
        if isinstance(call.func, ast.Attribute):
            if call.func.attr not in ("call", "call_async", "run", "execute", "wraps", "__call__"):
                return False
            return self.view.retries.breaker(call.func.value) or bool(self.view.retries.policy(call.func.value))
        name = self.resolver.name(call.func)
        return "." not in name and bool(self.view.retries.policy(call.func)) and not self._is_policy(call)

    def _is_policy(self, call: ast.Call) -> bool:
        return self.resolver.name(call.func).rpartition(".")[2] in ("retry", "AsyncRetrying", "Retrying")

    def _local(self, call: ast.Call) -> bool:
        first = call.args[0]
        target = first.body if isinstance(first, ast.Lambda) else first
        while isinstance(target, (ast.Await, ast.Call)):
            target = target.value if isinstance(target, ast.Await) else target.func
        return isinstance(target, ast.Attribute) and bool(LOCAL_WORK.search(last_name(target.value)))
