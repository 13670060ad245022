"""R-RES-ASYNC-1, a maximum of attempts."""

import ast
import re
from collections.abc import Iterator

from ..binding import FUNCTIONS, Function
from ..finding import Finding, Rule
from ..syntax import last_name

ASKS = re.compile(
    r"^(get_|fetch_|check_|poll_|read_|query_|load_|ask_)?(status|state|result|outcome|progress)$|^(check|poll|is_done|is_ready|done|ready|finished|completed|is_finished|is_complete)(_\w+)?$"
)
ASKED = ("status", "state", "result", "outcome", "progress", "check", "poll", "done", "ready", "finished", "complete")
ENDLESS = {"itertools.count", "itertools.repeat", "itertools.cycle"}
BOUNDED = re.compile(
    r"(attempt|tries|retries|left|remaining|deadline|max|limit|budget|until|expires|elapsed|time|stop|shut|clos|running|cancel)",
    re.IGNORECASE,
)


class NoMaximum(Rule):
    """Polling without a maximum of attempts.

    An operation that never ends is asked about for ever, and nobody is told. Count the polls and end in FAILED with an alert after
    MAX_ATTEMPTS; better, leave the polling to the task's row.
    """

    code = "ASYNC-1-MAX"
    level = "warning"
    nodes = (ast.While, ast.For, ast.AsyncFor, *FUNCTIONS)
    needs = (("await",), ("while", "count", "repeat", "cycle", "def"), ASKED)
    exempt_in_tests = True

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Loops without a bound, and recursion without one, around a question for a status."""
        if isinstance(node, FUNCTIONS):
            if self._recurs_without_end(node):
                yield self.finding(node)
        elif (
            self._endless(node) and self._asks(node) and not self._is_bounded(node) and not self._slept_in_request(node)
        ):
            yield self.finding(node)

    def _endless(self, node: ast.AST) -> bool:
        if isinstance(node, ast.While):
            return True
        if isinstance(node, (ast.For, ast.AsyncFor)) and isinstance(node.iter, ast.Call):
            name = self.resolver.name(node.iter.func)
            return name in ENDLESS and not (name == "itertools.repeat" and len(node.iter.args) > 1)
        return False

    def _asks(self, loop: ast.AST) -> bool:
        awaited = (n.value for n in self.source.local(loop) if isinstance(n, ast.Await))
        return any(isinstance(call, ast.Call) and ASKS.match(last_name(call.func)) for call in awaited)

    def _is_bounded(self, loop: ast.AST) -> bool:
        """A comparison or a condition about attempts, time or a stop; a deadline around; or no way out meant (a worker)."""
        for node in self.source.local(loop):
            if isinstance(node, (ast.Compare, ast.AugAssign)) and BOUNDED.search(ast.unparse(node)):
                return True
        if isinstance(loop, ast.While) and BOUNDED.search(ast.unparse(loop.test)):
            return True
        return self.view.deadlines.bounds(loop)

    def _slept_in_request(self, loop: ast.AST) -> bool:
        """ASYNC-X1 says the graver thing about such a loop already."""
        calls = (n for n in self.source.local(loop) if isinstance(n, ast.Call))
        return self.view.roles.serves_requests(self.source.function(loop)) and any(
            self.view.sleeps.rests(c) for c in calls
        )

    def _recurs_without_end(self, function: Function) -> bool:
        again = [c for c in self.resolver.calls_in(function) if self.resolver.function_of(c.func) is function]
        if not again or not self._asks(function):
            return False
        counted = any(
            isinstance(n, ast.BinOp)
            for c in again
            for a in (*c.args, *(k.value for k in c.keywords))
            for n in ast.walk(a)
        )
        return not counted and not self.view.deadlines.bounds(again[0])
