"""Repetition written by hand: loops that try again, a second try in a handler, a function that calls itself again."""

import ast
import re

from .binding import CALLABLES, FUNCTIONS, LOOPS
from .resolver import Resolver
from .sleeps import loop_of
from .source import Source
from .syntax import last_name

JUDGED = re.compile(r"^(status_code|status|is_success|is_error|is_server_error|ok|code|success)$")
LOOPS_BY_HAND = ("while ", "range(", "for _", "attempt", "repeat(", "count(", "tries")
SECOND = re.compile(r"except[^\n]*:\n(?:[^\n]*\n){0,4}? +(return|await|\w+ =)[^\n]*await ")
TAKES = {"pop", "popleft", "popitem", "next", "anext", "get", "get_nowait", "recv", "receive", "read", "readline"}


class Repeats:
    """Answers about one source."""

    def __init__(self, source: Source, resolver: Resolver) -> None:
        self.source = source
        self.resolver = resolver

    def loop_around(self, node: ast.AST, failures_only: bool = False) -> ast.AST | None:
        """The loop that sends the same again after an error or a bad answer; `failures_only`: after one of theirs."""
        loop = loop_of(self.source, node)
        while loop is not None:
            again = isinstance(loop, LOOPS) and not self._differs(loop, node)
            if again and (self._after_error(loop, node) or self._after_answer(loop, node, failures_only)):
                return loop
            loop = loop_of(self.source, loop)
        return None

    def second_try(self, node: ast.AST) -> bool:
        """Whether a handler sends what its `try` sent: a second attempt without a loop."""
        handler = next((a for a in self.source.ancestors(node) if isinstance(a, (ast.ExceptHandler, *CALLABLES))), None)
        attempt = self.source.parents.get(handler) if isinstance(handler, ast.ExceptHandler) else None
        if not isinstance(attempt, ast.Try):
            return False
        said = ast.dump(node)
        return any(isinstance(n, ast.Call) and ast.dump(n) == said for s in attempt.body for n in ast.walk(s))

    def again(self, function: ast.AST) -> ast.Call | None:
        """The call by which a handler calls the function that it is in."""
        for handler in (n for n in self.source.local(function) if isinstance(n, ast.ExceptHandler)):
            for call in (n for n in self.source.local(handler) if isinstance(n, ast.Call)):
                if self.resolver.function_of(call.func) is function:
                    return call
        return None

    def until_it_works(self, function: ast.AST) -> ast.AST | None:
        """The loop that calls a helper until it stops answering `False` for an error that it caught."""
        if not isinstance(function, FUNCTIONS) or not self._answers_failure(function):
            return None
        for call in self.resolver.callers(function):
            test = next((a for a in self.source.ancestors(call) if isinstance(a, (ast.If, ast.While, ast.stmt))), None)
            loop = test if isinstance(test, ast.While) else loop_of(self.source, call)
            if isinstance(loop, LOOPS) and isinstance(test, (ast.If, ast.While)) and not self._differs(loop, call):
                return loop
        return None

    def _answers_failure(self, function: ast.AST) -> bool:
        handlers = [n for n in self.source.local(function) if isinstance(n, ast.ExceptHandler)]
        return any(
            isinstance(h.body[-1], ast.Return)
            and (
                h.body[-1].value is None or (isinstance(h.body[-1].value, ast.Constant) and not h.body[-1].value.value)
            )
            for h in handlers
        )

    def _differs(self, loop: ast.AST, node: ast.AST) -> bool:
        """Whether every round sends something else: the loop's item, or what is taken from a queue in it."""
        changing: set[str] = set()
        if isinstance(loop, (ast.For, ast.AsyncFor)):
            changing = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
        elif isinstance(loop, ast.While) and any(isinstance(n, ast.NamedExpr) for n in ast.walk(loop.test)):
            return not self._counts_down(loop.test)
        for assign in (n for n in self.source.local(loop) if isinstance(n, ast.Assign)):
            value = assign.value.value if isinstance(assign.value, ast.Await) else assign.value
            if isinstance(value, ast.Call) and last_name(value.func) in TAKES and value is not node:
                changing |= {n.id for t in assign.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        return any(isinstance(n, ast.Name) and n.id in changing for n in ast.walk(node))

    def _counts_down(self, test: ast.expr) -> bool:
        """`while (left := left - 1)`."""
        named = [n for n in ast.walk(test) if isinstance(n, ast.NamedExpr)]
        return all(isinstance(n.value, ast.BinOp) for n in named)

    def _after_error(self, loop: ast.AST, node: ast.AST) -> bool:
        """A `try` or `suppress` around the node whose errors lead into the next round."""
        inside = list(self.source.ancestors(node))
        inside = inside[: inside.index(loop)]
        if any(isinstance(a, ast.ExceptHandler) for a in inside):
            return False
        attempts = [
            a for a in inside if isinstance(a, ast.Try) and a.handlers and not all(map(self._gives_up, a.handlers))
        ]
        suppressed = [
            a
            for a in inside
            if isinstance(a, (ast.With, ast.AsyncWith))
            and any(last_name(i.context_expr) == "suppress" for i in a.items)
        ]
        if not attempts and not suppressed:
            return False
        leaves = any(isinstance(n, (ast.Return, ast.Break)) for n in self.source.local(loop))
        return leaves or isinstance(loop, ast.While)

    def _after_answer(self, loop: ast.AST, node: ast.AST, failures_only: bool) -> bool:
        """A status that is looked at, and decides whether the loop is left."""
        if isinstance(loop, (ast.For, ast.AsyncFor)) and not self._counts(loop):
            return False
        assign = next((a for a in self.source.ancestors(node) if isinstance(a, ast.stmt)), None)
        names = {n.id for n in ast.walk(assign) if isinstance(n, ast.Name)} if isinstance(assign, ast.Assign) else set()
        for test in (n for n in self.source.local(loop) if isinstance(n, ast.If)):
            judged = any(
                isinstance(n, ast.Attribute) and JUDGED.match(n.attr) and last_name(n.value) in names
                for n in ast.walk(test.test)
            )
            if failures_only and not self._is_failure(test.test):
                continue
            if (
                judged
                and not self._until_ready(test.test)
                and any(isinstance(n, (ast.Return, ast.Break, ast.Continue)) for n in ast.walk(test))
            ):
                return True
        return False

    def _is_failure(self, test: ast.expr) -> bool:
        """A status of 5xx or 429, or the question for one."""
        for node in ast.walk(test):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, int)
                and (node.value >= 499 or node.value == 429)
            ):
                return True
            if isinstance(node, ast.Attribute) and node.attr in ("is_server_error", "is_error"):
                return True
        return False

    def _until_ready(self, test: ast.expr) -> bool:
        """`status_code == 200`: waiting for a thing to be there, which other rules judge."""
        return any(isinstance(n, ast.Compare) and isinstance(n.ops[0], (ast.Eq, ast.NotEq)) for n in ast.walk(test))

    def _counts(self, loop: ast.For | ast.AsyncFor) -> bool:
        """`for _ in range(3)`, `for delay in (1, 2, 4)`: rounds, not things."""
        if isinstance(loop.iter, ast.Call):
            return self.resolver.name(loop.iter.func) in ("range", "itertools.count", "itertools.repeat", "enumerate")
        return isinstance(loop.iter, (ast.Tuple, ast.List)) and all(isinstance(e, ast.Constant) for e in loop.iter.elts)

    def _gives_up(self, handler: ast.ExceptHandler) -> bool:
        return isinstance(handler.body[-1], (ast.Return, ast.Break, ast.Raise))


def may_repeat(text: str) -> bool:
    """Whether a text can hold a repetition by hand: errors or statuses that are looked at, and a loop or a second try."""
    if "except" not in text and "suppress" not in text and "status" not in text and ".ok" not in text:
        return False
    return any(word in text for word in LOOPS_BY_HAND) or SECOND.search(text) is not None
