"""R-RES-ASYNC-X2."""

import ast
import re
from collections.abc import Iterator

from ..finding import Finding, Rule

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
        """Any sleep whose length can be more than 5 s as far as source shows."""
        if isinstance(node, ast.Call):
            longest = max(self.view.sleeps.seconds(node), default=0.0)
            if longest > LONGEST:
                yield self.finding(node, about=f"sleeps {longest:g} s")
