"""R-RES-WHERE-X1, and with it R-RES-CB-X1."""

import ast
import re
from collections.abc import Iterator

from ..binding import FUNCTIONS, Function
from ..finding import Finding, Rule
from ..policies import BREAKERS
from ..roles import REPOSITORY_FOLDERS
from ..syntax import last_name

LOCAL_WORK = re.compile(
    r"(^|_)(session|repo|repository|repositories|uow|unit_of_work|database|db|cursor|engine|conn|connection|dao|store|storage)$",
    re.IGNORECASE,
)
LOCAL_TYPES = re.compile(
    r"(AsyncSession|\bSession|AsyncConnection|AsyncEngine|asyncpg\.\w+|psycopg\.\w+|sqlite3\.\w+|UnitOfWork|Repository|sessionmaker)$"
)
SQL_METHODS = {
    "execute",
    "scalar",
    "scalars",
    "fetch",
    "fetchrow",
    "fetchval",
    "executemany",
    "commit",
    "flush",
    "exec_driver_sql",
}
CALLS = ("call", "call_async", "run", "execute", "wraps", "__call__", "calling", "acall")
SEMAPHORES = {"asyncio.Semaphore", "asyncio.BoundedSemaphore", "anyio.Semaphore", "anyio.CapacityLimiter"}


class ProtectedLocalWork(Rule):
    """A breaker, retry or bulkhead around local work: a repository, SQL, a request handler.

    It hides faults of our own, repeats transactions that may have been committed, and opens on our own bugs. Protect the outbound
    adapter's method; leave local work bare.
    """

    code = "WHERE-X1"
    nodes = (*FUNCTIONS, ast.Call, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)
    needs = (
        (
            "retry",
            "Retry",
            "breaker",
            "Breaker",
            "bulkhead",
            "circuit",
            "backoff",
            "stamina",
            "emaphore",
            "policy",
            "policies",
        ),
    )

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Files that speak of protection; and repositories with decorators, which another module may make of it."""
        return super().concerns(text, parts) or ("\n    @" in text and bool(REPOSITORY_FOLDERS & set(parts)))

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Decorators of repositories and handlers, and protection around calls of local work."""
        if isinstance(node, FUNCTIONS):
            yield from self._decorators(node)
        elif isinstance(node, ast.Call):
            if self._protects(node) and (self._in_place(node) or self._local(node)):
                yield self.finding(node)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            if self.view.retries.policy(node.iter) and (self._in_place(node) or self._works_locally(node)):
                yield self.finding(node)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            yield from self._blocks(node)

    def _blocks(self, node: ast.With | ast.AsyncWith) -> Iterator[Finding]:
        for item in node.items:
            expression = item.context_expr
            if self.view.retries.breaker(expression) and not self._is_context_call(expression):
                if self._in_place(node) or self._works_locally(node):
                    yield self.finding(node)
            elif self.view.roles.in_repository(node) and self._is_bulkhead(expression):
                yield self.finding(node)

    def _is_context_call(self, expression: ast.expr) -> bool:
        """A call that opens something else than the breaker: `breaker.settings()`; `.calling()` is the breaker."""
        return isinstance(expression, ast.Call) and last_name(expression.func) not in CALLS

    def _is_bulkhead(self, expression: ast.expr) -> bool:
        """A semaphore of more than one; a semaphore of one is a lock."""
        if self.resolver.kind(expression) not in SEMAPHORES:
            return False
        return not any(m.args and self.values.of(m.args[0]) == [1] for m in self.resolver.made_by(expression))

    def _in_place(self, node: ast.AST) -> bool:
        """In a repository, or in the function of a route."""
        return self.view.roles.in_repository(node) or self.view.roles.is_route(self.source.function(node) or node)

    def _decorators(self, function: Function) -> Iterator[Finding]:
        if not function.decorator_list:
            return
        wrapped = [d for d in function.decorator_list if self.view.retries.policy(d) or self._is_breaker(d)]
        if not wrapped:
            return
        local = self.view.roles.in_repository(function) or self.view.roles.is_route(function)
        if local or self._takes_session(function) or self._works_locally(function) or self._only_computes(function):
            yield from (self.finding(d) for d in wrapped)

    def _only_computes(self, function: Function) -> bool:
        """In-memory code: a body that does something, and calls and awaits nothing."""
        if isinstance(function, ast.AsyncFunctionDef) or all(
            isinstance(s, (ast.Expr, ast.Pass)) for s in function.body
        ):
            return False
        return not any(
            isinstance(n, (ast.Call, ast.Await, ast.With, ast.Yield)) for s in function.body for n in ast.walk(s)
        )

    def _is_breaker(self, decorator: ast.expr) -> bool:
        name = last_name(decorator)
        return name not in ("setter", "property") and self.view.retries.breaker(decorator)

    def _takes_session(self, function: Function) -> bool:
        """A parameter that is a session or a connection of the database."""
        return any(
            LOCAL_TYPES.search(self.resolver.annotated(a.annotation)) for a in function.args.args if a.annotation
        )

    def _works_locally(self, node: ast.AST) -> bool:
        """Whether SQL is sent in a block or function, by a session or connection, and nothing leaves the process."""
        calls = [n for n in self.source.local(node) if isinstance(n, ast.Call)]
        if any(self.view.http.outbound(c) is not None for c in calls):
            return False
        return any(
            isinstance(c.func, ast.Attribute)
            and c.func.attr in SQL_METHODS
            and (LOCAL_WORK.search(last_name(c.func.value)) or LOCAL_TYPES.search(self.resolver.kind(c.func.value)))
            for c in calls
        )

    def _protects(self, call: ast.Call) -> bool:
        """`breaker.call(f)`, `AsyncRetrying(...)(f)`, `retrying(f)`."""
        if not call.args:
            return False
        if isinstance(call.func, ast.Attribute):
            if call.func.attr in CALLS:
                return self.view.retries.breaker(call.func.value) or bool(self.view.retries.policy(call.func.value))
            return False
        name = self.resolver.name(call.func)
        if self.resolver.kind(call.func) in BREAKERS:
            return True
        foreign = "." in name and self.resolver.foreign(call.func) is None
        return not foreign and bool(self.view.retries.policy(call.func)) and not self._is_policy(call)

    def _is_policy(self, call: ast.Call) -> bool:
        return self.resolver.name(call.func).rpartition(".")[2] in ("retry", "AsyncRetrying", "Retrying")

    def _local(self, call: ast.Call) -> bool:
        first = call.args[0]
        target = first.body if isinstance(first, ast.Lambda) else first
        while isinstance(target, (ast.Await, ast.Call)):
            target = target.value if isinstance(target, ast.Await) else target.func
        if isinstance(target, ast.Attribute):
            box = target.value
            return bool(LOCAL_WORK.search(last_name(box)) or LOCAL_TYPES.search(self.resolver.kind(box)))
        function = self.resolver.function_of(target)
        return isinstance(function, FUNCTIONS) and (self._takes_session(function) or self._works_locally(function))
