"""R-RES-RE-X3."""

import ast
from collections.abc import Iterator

from ..binding import FUNCTIONS
from ..clients import SENDS
from ..finding import Finding, Rule
from ..flow import reaching
from ..paces import FLAT
from ..repeats import may_repeat
from ..syntax import argument, keyword

TENACITY = ("tenacity.retry", "tenacity.AsyncRetrying", "tenacity.Retrying")
STAMINA = ("stamina.retry", "stamina.retry_context", "stamina.AsyncRetryingCaller", "stamina.RetryingCaller")


class RetryWithoutBackoff(Rule):
    """A retry without exponential backoff.

    Attempts that follow at once, or at one pace, arrive together from every process and keep a sick system down. Use
    `wait=wait_random_exponential(...)` with numbers from settings. (A bare `@retry` also repeats every error for ever: RE-X2.)
    """

    code = "RE-X3"
    nodes = (*FUNCTIONS, ast.Call)

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Files that name a library of retries, and those that send and can send again."""
        if any(word in text for word in ("tenacity", "stamina", "backoff", "retry(", "Retrying", "retry_with")):
            return True
        return may_repeat(text) and any(word in text for word in SENDS)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A bare decorator, a policy without `wait`, one whose waits do not grow; and loops that try again at one pace."""
        if isinstance(node, FUNCTIONS):
            for decorator in node.decorator_list:
                if not isinstance(decorator, ast.Call) and self.resolver.name(decorator) == "tenacity.retry":
                    yield self.finding(decorator)
        elif isinstance(node, ast.Call):
            if self._flat_policy(node):
                yield self.finding(node)
            else:
                yield from self._by_hand(node)

    def _flat_policy(self, node: ast.Call) -> bool:
        policy = self.resolver.name(node.func)
        changes = isinstance(node.func, ast.Attribute) and node.func.attr in ("copy", "retry_with")
        if policy in TENACITY or (changes and self.view.retries.policy(node.func).startswith("tenacity.")):
            given, complete = self.values.mapping(node)
            wait = given.get("wait")
            if wait is None:
                return complete and not changes and not self.view.roles.in_repository(node)
            return isinstance(wait, ast.expr) and self.view.paces.policy(wait) == "flat"
        if policy in ("backoff.on_exception", "backoff.on_predicate"):
            return self._flat_backoff(node)
        if policy in STAMINA:
            return any(
                numbers and max(numbers) <= 1 for numbers in [self.values.seconds(keyword(node, "wait_exp_base"))]
            )
        return False

    def _flat_backoff(self, node: ast.Call) -> bool:
        generator = argument(node, 0, "wait_gen")
        if self.resolver.name(generator) in FLAT or (
            isinstance(generator, ast.Lambda) and self.view.paces.policy(generator) == "flat"
        ):
            return True
        base = self.values.seconds(keyword(node, "base"))
        return self.resolver.name(generator) == "backoff.expo" and bool(base) and max(base) <= 1

    def _by_hand(self, node: ast.Call) -> Iterator[Finding]:
        """A call that leaves the process, or of a function that was handed in, and is repeated by hand."""
        if self.view.http.outbound(node) is None and not self._was_given(node):
            return
        told = self.view.retries.repeats
        function = self.source.function(node)
        again = told.again(function) if function is not None else None
        if told.second_try(node):
            yield self.finding(node)
        elif again is not None:
            if not self._waits_longer(again):
                yield self.finding(again)
        else:
            for loop in self._loops(node, 0):
                shape, place = self.view.paces.hand_written(loop)
                if shape == "flat" and (not self._was_given(node) or self._ends(loop)):
                    yield self.finding(place)

    def _loops(self, node: ast.AST, depth: int) -> Iterator[ast.AST]:
        loop = self.view.retries.repeats.loop_around(node, failures_only=True)
        if loop is not None:
            yield loop
            return
        function = self.source.function(node)
        if function is None or depth > 3:
            return
        until = self.view.retries.repeats.until_it_works(function)
        if until is not None:
            yield until
        for call in self.resolver.callers(function):
            yield from self._loops(call, depth + 1)

    def _was_given(self, node: ast.Call) -> bool:
        """`await send()` of a helper's parameter."""
        if not isinstance(node.func, ast.Name) or not isinstance(self.source.parents.get(node), ast.Await):
            return False
        return any(b.kind == "parameter" for b in reaching(self.source, node.func.id, node.func))

    def _ends(self, loop: ast.AST) -> bool:
        """Whether a loop is left once it worked; one that is not serves for ever, and may call what it was given."""
        return any(isinstance(n, (ast.Return, ast.Break)) for n in self.source.local(loop))

    def _waits_longer(self, again: ast.Call) -> bool:
        """Whether a function that calls itself hands on a longer wait, or waits by one that grows."""
        given = [*again.args, *(k.value for k in again.keywords)]
        grows = (ast.Mult, ast.Pow, ast.LShift)
        if any(isinstance(n, ast.BinOp) and isinstance(n.op, grows) for a in given for n in ast.walk(a)):
            return True
        handler = next((a for a in self.source.ancestors(again) if isinstance(a, ast.ExceptHandler)), None)
        waits = [c for c in self.source.local(handler) if isinstance(c, ast.Call)] if handler is not None else []
        delays = [self.view.sleeps.delay(c) for c in waits if self.view.sleeps.is_sleep(c)]
        return any(
            isinstance(n, (ast.Call, ast.Subscript))
            or (isinstance(n, ast.BinOp) and isinstance(n.op, (ast.Pow, ast.LShift)))
            for d in delays
            if d is not None
            for n in ast.walk(d)
        )
