"""R-RES-ASYNC-2."""

import ast
import math
import re
from collections.abc import Iterator

from ..binding import CALLABLES, FUNCTIONS, LOOPS
from ..finding import Finding, Rule

LONGEST = 2.0  # seconds in all; the guide's number
FOREVER = re.compile(r"(stop|clos|shut|running|cancel|alive|quit|exit)", re.IGNORECASE)


class SleepsInAdapter(Rule):
    """An adapter sleeps for more than 2 s in all.

    The caller's budget, a permit and a breaker's trial are used up by waiting. Keep waits in an adapter under 2 s in sum; leave longer
    ones to the task's row (Retry-After included).
    """

    code = "ASYNC-2"
    nodes = FUNCTIONS
    needs = (("sleep",),)
    exempt_in_tests = True

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Adds up the sleeps along a method, loops and helpers included, and names the one that goes over."""
        if not isinstance(node, FUNCTIONS) or not self.view.in_adapter(node):
            return
        total = _Total(self, node)
        total.block(node.body, 0.0)
        if total.culprit is not None:
            yield self.finding(total.culprit)


class _Total:
    """The sum of the sleeps of one function, by its structure."""

    def __init__(self, rule: SleepsInAdapter, function: ast.AST, depth: int = 0) -> None:
        self.rule = rule
        self.function = function
        self.depth = depth
        self.culprit: ast.Call | None = None

    def block(self, statements: list[ast.stmt], before: float, times: float = 1.0) -> float:
        total = before
        for statement in statements:
            total = self.statement(statement, total, times)
        return total

    def statement(self, node: ast.stmt, before: float, times: float) -> float:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            return before
        if isinstance(node, ast.If):
            then, otherwise = self.block(node.body, before, times), self.block(node.orelse, before, times)
            return max(then, otherwise)
        if isinstance(node, LOOPS):
            return self.block(node.orelse, self.loop(node, before, times), times)
        if isinstance(node, ast.Try):
            whole = self.block(node.orelse, self.block(node.body, before, times), times)
            ends = [self.block(h.body, before, times) for h in node.handlers]
            return self.block(node.finalbody, max([whole, *ends]), times)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return self.block(node.body, before, times)
        return before + self.expressions(node, before, times)

    def loop(self, node: ast.stmt, before: float, times: float) -> float:
        if isinstance(node, ast.While):
            if self._serves_forever(node):
                return before
            return self.block(node.body, before, times * self._counted(node))
        if isinstance(node, (ast.For, ast.AsyncFor)):
            lengths = [len(v) for v in self.rule.values.of(node.iter) if isinstance(v, (tuple, range, dict))]
            return self.block(node.body, before, times * max(lengths, default=1))
        return before

    def expressions(self, node: ast.stmt, before: float, times: float) -> float:
        found = 0.0
        for call in (n for n in self.rule.source.local(node) if isinstance(n, ast.Call)):
            length = self._length(call, times)
            found += length
            if before + found > LONGEST and length > 0 and self.culprit is None:
                self.culprit = call
        return found

    def _length(self, call: ast.Call, times: float) -> float:
        sleeps = self.rule.view.sleeps
        values = sleeps.seconds(call)
        if values:
            return sum(values) if 1 < len(values) <= times else max(values) * (times if max(values) else 1.0)
        function = self.rule.resolver.function_of(call.func)
        if function is None or sleeps.is_sleep(call) or self.depth > 3 or not isinstance(function, FUNCTIONS):
            return 0.0
        inner = _Total(self.rule, function, self.depth + 1)
        length = inner.block(function.body, 0.0)
        return 0.0 if inner.culprit is not None or not length else length * times

    def _counted(self, loop: ast.While) -> float:
        """How often `while i < 9` runs; without a bound in source, for ever."""
        if isinstance(loop.test, ast.Compare) and len(loop.test.comparators) == 1:
            ends = self.rule.values.seconds(loop.test.comparators[0])
            grows = any(isinstance(n, ast.AugAssign) for n in self.rule.source.local(loop))
            if grows:
                return max(ends, default=1.0)
        if any(isinstance(n, (ast.AugAssign, ast.NamedExpr)) for n in self.rule.source.local(loop)):
            return 1.0
        return math.inf

    def _serves_forever(self, loop: ast.While) -> bool:
        if FOREVER.search(ast.unparse(loop.test)):
            return True
        leaves = any(isinstance(n, (ast.Return, ast.Break)) for n in self.rule.source.local(loop))
        endless = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
        return endless and not leaves and not isinstance(self.function, CALLABLES[2:])
