"""R-RES-ASYNC-X1."""

import ast
import re
from collections.abc import Iterator

from ..binding import CALLABLES, FUNCTIONS, Function
from ..finding import Finding, Rule
from ..roles import may_serve
from ..sleeps import loop_of
from ..syntax import last_name

LOOP = re.compile(r"^\s+(async for|while|for) ", re.MULTILINE)


WRITES = {"write", "send_text", "send_json", "send_bytes", "send_str"}  # to a response or a socket


class SleepLoop(Rule):
    """A request handler or use case sleeps in a loop.

    The caller's connection, a worker's slot and the client's patience are held while nothing happens, and the wait is lost when
    the process ends. Queue a task, answer 202 with a Location, and let the poller wait.
    """

    code = "ASYNC-X1"
    nodes = (ast.Call, ast.For, ast.AsyncFor)
    exempt_in_tests = True

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """A file that sleeps, or one of requests that can call a helper which does."""
        return "sleep" in text or (bool(LOOP.search(text)) and may_serve(text, parts))

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A sleep, or a helper that sleeps, repeated by a loop or by recursion; a loop over a generator that sleeps."""
        function = self.source.function(node)
        if function is None or not self.view.roles.serves_requests(function) or self._streams(function, node):
            return
        if isinstance(node, (ast.For, ast.AsyncFor)):
            if self.view.sleeps.ticks(node.iter):
                yield self.finding(node)
        elif isinstance(node, ast.Call):
            looped = loop_of(self.source, node) is not None
            if (looped and self.view.sleeps.rests(node)) or (
                self.view.sleeps.is_sleep(node)
                and not self.view.sleeps.yields(node)
                and self._recurs(function, function, set())
            ):
                yield self.finding(node)

    def _streams(self, function: ast.AST, node: ast.AST) -> bool:
        """A generator that feeds a stream, or a loop that writes to one, is paced on purpose."""
        if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in self.source.local(function)):
            return True
        loop = loop_of(self.source, node)
        written = (n.value for n in self.source.local(loop) if isinstance(n, ast.Await)) if loop is not None else ()
        return any(isinstance(c, ast.Call) and last_name(c.func) in WRITES for c in written)

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
