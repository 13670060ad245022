"""R-RES-ASYNC-X2."""

import ast
import re
from collections.abc import Iterator

from ..finding import Finding, Rule
from ..sleeps import loop_of

HELPER = re.compile(
    r"(pause|nap|doze|delay|linger|cool_?down|back_?off|hold_on|rest_for|wait_a|wait_some|wait_seconds|idle)\w*\([^)]"
)
LONGEST = 5.0  # seconds; the guide's number


class LongSleep(Rule):
    """A sleep of more than 5 s.

    A wait that long does not survive a restart and hides from every operator. Write a row that is due later
    (next_attempt_at) and let the poller come back to it; wait for an event with a deadline where something wakes you.
    """

    code = "ASYNC-X2"
    nodes = (ast.Call,)
    exempt_in_tests = True

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Files that sleep, or call a helper that is called as if it did."""
        return "sleep" in text or bool(HELPER.search(text))

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Any sleep whose length can be more than 5 s as far as source and the defaults of settings show."""
        if isinstance(node, ast.Call):
            longest = max(self.view.sleeps.seconds(node), default=0.0)
            if longest > LONGEST and not self._is_clock(node):
                yield self.finding(node, about=f"sleeps {longest:g} s")

    def _is_clock(self, node: ast.Call) -> bool:
        """A loop that serves for ever, at a pace that a setting gives: nothing is lost when it ends."""
        delay = self.view.sleeps.delay(node) if self.view.sleeps.is_sleep(node) else None
        if delay is None or any(n > LONGEST for n in self.values.seconds(delay)):
            return False
        loop = loop_of(self.source, node)
        if not isinstance(loop, ast.While) or not isinstance(loop.test, ast.Constant) or not loop.test.value:
            return False
        return not any(isinstance(n, (ast.Return, ast.Break)) for n in self.source.local(loop))
