"""R-RES-RE-X2."""

import ast
from collections.abc import Iterator

from ..binding import FUNCTIONS
from ..finding import Finding, Rule
from ..flow import reaching
from ..syntax import keyword

WIDE = {"Exception", "BaseException", "httpx.HTTPStatusError", "httpx.HTTPError", "builtins.Exception"}


class RetryOnEverything(Rule):
    """A retry on every error, a 4xx included.

    A request that was refused is refused again, a bug runs three times, and a sick system gets the load of both. Name the passing errors:
    connect errors, timeouts, 5xx (`retry=retry_if_exception_type((ConnectError, TimeoutError))`).
    """

    code = "RE-X2"
    nodes = (ast.Call,)
    needs = (("tenacity", "stamina", "backoff"),)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A policy without a condition, or whose condition lets everything pass."""
        if not isinstance(node, ast.Call):
            return
        policy = self.resolver.name(node.func)
        if policy in ("stamina.retry", "stamina.retry_context"):
            on = keyword(node, "on") or (node.args[0] if node.args else None)
            if on is not None and (self._wide(on) or self._accepts_all(on)):
                yield self.finding(node)
        elif policy == "backoff.on_exception":
            what = keyword(node, "exception") or (node.args[1] if len(node.args) > 1 else None)
            if what is not None and self._wide(what) and keyword(node, "giveup") is None:
                yield self.finding(node)
        elif policy in ("tenacity.retry", "tenacity.AsyncRetrying", "tenacity.Retrying"):
            given, complete = self.values.mapping(node)
            condition = given.get("retry")
            if condition is None:
                if complete and (given or policy != "tenacity.retry") and not self._decorates(node):
                    yield self.finding(node)
            elif isinstance(condition, ast.expr) and self._everything(condition):
                yield self.finding(node)

    def _decorates(self, node: ast.Call) -> bool:
        """`retry(function)`: the bare decorator by another name; RE-X3 speaks of that."""
        return bool(node.args)

    def _everything(self, condition: ast.expr, depth: int = 0) -> bool:
        if depth > 6:
            return False
        if isinstance(condition, ast.BinOp):
            sides = (self._everything(condition.left, depth + 1), self._everything(condition.right, depth + 1))
            return any(sides) if isinstance(condition.op, ast.BitOr) else all(sides)
        if isinstance(condition, (ast.Name, ast.Attribute)):
            name = self.resolver.name(condition)
            if name == "tenacity.retry_always":
                return True
            return any(self._everything(made, depth + 1) for made in self.resolver.made_by(condition))
        if not isinstance(condition, ast.Call):
            return False
        kind = self.resolver.name(condition.func)
        first = condition.args[0] if condition.args else next((k.value for k in condition.keywords), None)
        if kind == "tenacity.retry_if_exception_type":
            return first is None or self._wide(first)
        if kind == "tenacity.retry_if_exception":
            return self._accepts_all(first)
        if kind == "tenacity.retry_unless_exception_type":
            return True
        if kind == "tenacity.retry_any":
            return any(self._everything(a, depth + 1) for a in condition.args)
        if kind == "tenacity.retry_all":
            return bool(condition.args) and all(self._everything(a, depth + 1) for a in condition.args)
        return False

    def _wide(self, node: ast.expr | None, depth: int = 0) -> bool:
        if node is None or depth > 6:
            return False
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return any(self._wide(e, depth + 1) for e in node.elts)
        if isinstance(node, ast.BinOp):
            return self._wide(node.left, depth + 1) or self._wide(node.right, depth + 1)
        if self.resolver.name(node) in WIDE:
            return True
        bindings = reaching(self.source, node.id, node) if isinstance(node, ast.Name) else []
        if isinstance(node, ast.Attribute):
            bindings = self.resolver.attribute(node)
        return any(b.kind == "value" and b.value is not None and self._wide(b.value, depth + 1) for b in bindings)

    def _accepts_all(self, predicate: ast.expr | None) -> bool:
        function = self.resolver.function_of(predicate)
        if isinstance(function, ast.Lambda):
            return self._always(function.body)
        if isinstance(function, FUNCTIONS):
            returns = [n.value for n in self.source.local(function) if isinstance(n, ast.Return)]
            return bool(returns) and all(r is not None and self._always(r) for r in returns)
        return False

    def _always(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return node.value is True
        if isinstance(node, ast.Call) and self.resolver.name(node.func) == "isinstance" and len(node.args) > 1:
            return self._wide(node.args[1])
        return False
