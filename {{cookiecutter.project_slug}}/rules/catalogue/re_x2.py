"""R-RES-RE-X2."""

import ast
from collections.abc import Iterator

from ..clients import SENDS
from ..finding import Finding, Rule
from ..repeats import may_repeat
from ..syntax import argument, keyword, last_name

TENACITY = ("tenacity.retry", "tenacity.AsyncRetrying", "tenacity.Retrying")


class RetryOnEverything(Rule):
    """A retry on every error, a 4xx included.

    A request that was refused is refused again, a bug runs three times, and a sick system gets the load of both. Name the passing errors:
    connect errors, timeouts, 5xx (`retry=retry_if_exception_type((ConnectError, TimeoutError))`).
    """

    code = "RE-X2"
    nodes = (ast.Call,)

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Files that name a library of retries, and those that can send again by hand."""
        if any(word in text for word in ("tenacity", "stamina", "backoff", "retry", "Retry")):
            return True
        return "except" in text and may_repeat(text) and any(word in text for word in SENDS)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A policy without a condition, or whose condition lets everything pass."""
        if not isinstance(node, ast.Call):
            return
        policy, changed = self._policy(node)
        if not policy:
            yield from self._by_hand(node)
        if policy.startswith("stamina."):
            on = argument(node, 0, "on")
            if on is not None and (self.view.conditions.wide(on) or self.view.conditions.accepts_all(on)):
                yield self.finding(node)
        elif policy == "backoff.on_exception":
            what = argument(node, 1, "exception")
            if what is not None and self.view.conditions.wide(what) and keyword(node, "giveup") is None:
                yield self.finding(node)
        elif policy == "backoff.on_predicate":
            if self.view.conditions.accepts_all(argument(node, 1, "predicate")):
                yield self.finding(node)
        elif policy in TENACITY and self._tenacity(node, policy, changed):
            yield self.finding(node)

    def _by_hand(self, node: ast.Call) -> Iterator[Finding]:
        """A loop that sends again after any error: `except Exception: continue`."""
        loop = self.view.retries.repeats.loop_around(node) if self.view.http.outbound(node) is not None else None
        attempts = [a for a in self.source.ancestors(node) if isinstance(a, ast.Try)] if loop is not None else []
        for handler in attempts[0].handlers if attempts else ():
            ends = isinstance(handler.body[-1], (ast.Raise, ast.Return, ast.Break))
            if not ends and loop is not None and (handler.type is None or self.view.conditions.wide(handler.type)):
                yield self.finding(loop)
                return

    def _policy(self, node: ast.Call) -> tuple[str, bool]:
        """The policy that a call makes, and whether it changes one that was there (`copy`, `retry_with`)."""
        name = self.resolver.name(node.func)
        if last_name(node.func) == "partial" and node.args:
            return self.resolver.name(node.args[0]), True
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("copy", "retry_with", "on"):
            made = self.view.retries.policy(node.func)
            return (made if made.startswith(("tenacity.", "stamina.")) else ""), True
        return ("" if name == "stamina.AsyncRetryingCaller" else name), False

    def _tenacity(self, node: ast.Call, policy: str, changed: bool) -> bool:
        given, complete = self.values.mapping(node)
        condition = given.get("retry")
        if condition is None:
            bare = complete and (bool(given) or policy != "tenacity.retry") and not changed
            return bare and not node.args  # `retry(function)` is the bare decorator: RE-X3 speaks of that
        return isinstance(condition, ast.expr) and self.view.conditions.everything(condition)
