"""R-RES-ASYNC-X1."""

import ast
from collections.abc import Iterator

from ..binding import CALLABLES, FUNCTIONS, Function
from ..finding import Finding, Rule
from ..sleeps import loop_of


class SleepLoop(Rule):
    """A request handler or use case sleeps in a loop.

    The caller's connection, a worker's slot and the client's patience are held while nothing happens, and the wait is lost when
    the process ends. Queue a task, answer 202 with a Location, and let the poller wait.
    """

    code = "ASYNC-X1"
    nodes = (ast.Call,)
    needs = (("sleep",),)
    exempt_in_tests = True

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A sleep, or a helper that sleeps, repeated by a loop or by recursion."""
        if not isinstance(node, ast.Call) or not self.view.sleeps.rests(node):
            return
        function = self.source.function(node)
        if function is None or not self.view.roles.serves_requests(function) or self._streams(function):
            return
        if loop_of(self.source, node) is not None or (
            self.view.sleeps.is_sleep(node) and self._recurs(function, function, set())
        ):
            yield self.finding(node)

    def _streams(self, function: ast.AST) -> bool:
        """A generator that feeds a stream is paced on purpose."""
        return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in self.source.local(function))

    def _recurs(self, function: ast.AST, start: ast.AST, seen: set[ast.AST]) -> bool:
        seen.add(function)
        for call in self.resolver.calls_in(function):
            called: Function | ast.Lambda | None = self.resolver.function_of(call.func)
            if called is start:
                return True
            if (
                isinstance(called, (*FUNCTIONS, *CALLABLES))
                and called not in seen
                and self._recurs(called, start, seen)
            ):
                return True
        return False
