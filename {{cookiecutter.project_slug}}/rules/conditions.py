"""What a retry is for: whether the condition of a policy lets a 4xx, or everything, pass."""

import ast
import re

from .binding import FUNCTIONS
from .flow import reaching
from .resolver import Resolver
from .source import Source
from .syntax import last_name
from .values import Values

WIDE = {
    "Exception",
    "BaseException",
    "builtins.Exception",
    "httpx.HTTPStatusError",
    "httpx.HTTPError",
    "aiohttp.ClientError",
    "aiohttp.ClientResponseError",
    "requests.RequestException",
    "requests.HTTPError",
    "requests.exceptions.RequestException",
    "requests.exceptions.HTTPError",
    "urllib3.exceptions.HTTPError",
    "urllib.error.HTTPError",
    "urllib.error.URLError",
}
STATUS = re.compile(r"^(status_code|status|code)$")
BAD = {"is_error", "is_client_error"}
GOOD = {"is_success", "ok"}
PASSING_4XX = {408, 425, 429}  # "come again later" in so many words
DEEPEST = 6


class Conditions:
    """Answers about one source."""

    def __init__(self, source: Source, resolver: Resolver, values: Values) -> None:
        self.source = source
        self.resolver = resolver
        self.values = values

    def everything(self, condition: ast.expr, depth: int = 0) -> bool:
        """Whether a condition of tenacity lets everything pass, or a 4xx."""
        if depth > DEEPEST:
            return False
        if isinstance(condition, ast.BinOp):
            sides = (self.everything(condition.left, depth + 1), self.everything(condition.right, depth + 1))
            return any(sides) if isinstance(condition.op, ast.BitOr) else all(sides)
        if isinstance(condition, (ast.Name, ast.Attribute)):
            if self.resolver.name(condition) == "tenacity.retry_always":
                return True
            made = any(self.everything(m, depth + 1) for m in self.resolver.made_by(condition))
            return made or self._elsewhere(condition, depth)
        if not isinstance(condition, ast.Call):
            return False
        kind = self.resolver.name(condition.func)
        given = [*condition.args, *(k.value for k in condition.keywords)]
        first = given[0] if given else None
        if kind == "tenacity.retry_if_exception_type":
            return first is None or self.wide(first)
        if kind in ("tenacity.retry_if_not_exception_type", "tenacity.retry_unless_exception_type"):
            return kind.endswith("unless_exception_type") or not self._names_refusals(first)
        if kind == "tenacity.retry_if_exception":
            return self.accepts_all(first)
        if kind in ("tenacity.retry_if_result", "tenacity.retry_if_not_result"):
            return self.accepts_all(first, inverse=kind.endswith("not_result"))
        if kind == "tenacity.retry_any":
            return any(self.everything(a, depth + 1) for a in condition.args)
        if kind == "tenacity.retry_all":
            return bool(condition.args) and all(self.everything(a, depth + 1) for a in condition.args)
        function = self.resolver.function_of(condition.func)
        returned = [n.value for n in self.source.local(function) if isinstance(n, ast.Return)] if function else []
        return any(r is not None and self.everything(r, depth + 1) for r in returned)

    def wide(self, node: ast.expr | None, depth: int = 0) -> bool:
        """Whether an error, or one of several, is so general that a refused request is one of it."""
        if node is None or depth > DEEPEST:
            return False
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return any(self.wide(e, depth + 1) for e in node.elts)
        if isinstance(node, ast.Starred):
            return self.wide(node.value, depth + 1)
        if isinstance(node, ast.BinOp):
            return self.wide(node.left, depth + 1) or self.wide(node.right, depth + 1)
        if isinstance(node, ast.Call) and last_name(node.func) in ("tuple", "list") and node.args:
            return self.wide(node.args[0], depth + 1)
        if self.resolver.name(node) in WIDE:
            return True
        bindings = reaching(self.source, node.id, node) if isinstance(node, ast.Name) else []
        if isinstance(node, ast.Attribute):
            bindings = self.resolver.attribute(node)
        if any(
            b.kind in ("value", "parameter") and b.value is not None and self.wide(b.value, depth + 1) for b in bindings
        ):
            return True
        there = self.resolver.elsewhere.value(self.resolver.name(node)) if self.resolver.elsewhere is not None else None
        return there is not None and there[0].conditions.wide(there[1], depth + 1)

    def accepts_all(self, predicate: ast.expr | None, inverse: bool = False) -> bool:
        """Whether a function that judges an error or an answer says yes to a 4xx."""
        function = self.resolver.function_of(predicate)
        if isinstance(function, ast.Lambda):
            return self._always(function.body, inverse)
        if isinstance(function, FUNCTIONS):
            returns = [n.value for n in self.source.local(function) if isinstance(n, ast.Return)]
            return bool(returns) and all(r is not None and self._always(r, inverse) for r in returns)
        there = self.resolver.foreign(predicate) if function is None else None
        if there is None or not isinstance(there.function, FUNCTIONS):
            return False
        returned = [n.value for n in there.view.source.local(there.function) if isinstance(n, ast.Return)]
        return bool(returned) and all(r is not None and there.view.conditions._always(r, inverse) for r in returned)

    def _elsewhere(self, condition: ast.expr, depth: int) -> bool:
        elsewhere = self.resolver.elsewhere
        there = elsewhere.value(self.resolver.name(condition)) if elsewhere is not None else None
        return there is not None and there[0].conditions.everything(there[1], depth + 1)

    def _names_refusals(self, node: ast.expr | None) -> bool:
        """`retry_if_not_exception_type(HTTPStatusError)`, or an own error that says so, spares the 4xx."""
        names = (
            {self.resolver.name(n) for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Attribute))}
            if node
            else set()
        )
        own = re.compile(
            r"(Reject|Refus|Client|Permanent|Fatal|Bad|Invalid|4xx|NonRetry|NotRetry|Domain|Business|Status)"
        )
        return any(n in WIDE or own.search(n.rpartition(".")[2]) for n in names)

    def _always(self, node: ast.expr, inverse: bool = False) -> bool:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = node.operand
            if isinstance(inner, ast.Call) and self.resolver.name(inner.func) == "isinstance" and len(inner.args) > 1:
                return not self._names_refusals(inner.args[1])
            return self._always(inner, not inverse)
        if isinstance(node, ast.Constant):
            return node.value is (not inverse)
        if isinstance(node, ast.Attribute):
            return node.attr in (GOOD if inverse else BAD)
        if isinstance(node, ast.Compare):
            return self._passes_4xx(node) != inverse if self._is_status(node) else False
        if isinstance(node, ast.BoolOp):
            parts = [self._always(v, inverse) for v in node.values]
            every = isinstance(node.op, ast.And) != inverse
            plain = [self._always(v, inverse) or self._is_guard(v) for v in node.values]
            return (all(plain) and any(parts)) if every else any(parts)
        if (
            isinstance(node, ast.Call)
            and self.resolver.name(node.func) in ("isinstance", "issubclass")
            and len(node.args) > 1
        ):
            return not inverse and self.wide(node.args[1])
        return False

    def _is_guard(self, node: ast.expr) -> bool:
        """`isinstance(e, HTTPStatusError) and ...`: what makes the question after it possible."""
        return isinstance(node, ast.Call) and self.resolver.name(node.func) == "isinstance"

    def _is_status(self, node: ast.Compare) -> bool:
        return len(node.ops) == 1 and bool(STATUS.match(last_name(node.left)))

    def _passes_4xx(self, node: ast.Compare) -> bool:
        """Whether a comparison of a status holds for a refusal such as 404."""
        operation, bound = node.ops[0], node.comparators[0]
        if isinstance(operation, (ast.In, ast.NotIn)):
            members = {v for box in self.values.of(bound) if isinstance(box, (tuple, range)) for v in box}
            codes = {v for v in members if isinstance(v, int) and 400 <= v < 500} - PASSING_4XX
            return bool(codes) if isinstance(operation, ast.In) else 404 not in members and bool(members)
        numbers = self.values.seconds(bound)
        if not numbers:
            return False
        number = numbers[0]
        holds = {
            ast.GtE: number <= 404 and number > 300,
            ast.Gt: number < 404 and number >= 299,
            ast.NotEq: 200 <= number < 300,
            ast.Eq: 400 <= number < 500 and number not in PASSING_4XX,
        }
        return holds.get(type(operation), False)
