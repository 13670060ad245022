"""R-RES-ASYNC-X2."""

import ast
from collections.abc import Iterator

from ..finding import Finding, Rule

LONGEST = 5.0  # seconds; the guide's number


class LongSleep(Rule):
    """A sleep of more than 5 s.

    A wait that long does not survive a restart and hides from every operator. Write a row that is due later
    (next_attempt_at) and let the poller come back to it; wait for an event with a deadline where something wakes you.
    """

    code = "ASYNC-X2"
    nodes = (ast.Call,)
    needs = (("sleep", "pause", "wait", "nap", "doze", "delay", "rest", "backoff", "hold"),)
    exempt_in_tests = True

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Any sleep whose length can be more than 5 s as far as source shows."""
        if isinstance(node, ast.Call):
            longest = max(self.view.sleeps.seconds(node), default=0.0)
            if longest > LONGEST:
                yield self.finding(node, about=f"sleeps {longest:g} s")
