"""R-RES-ASYNC-1, a maximum of attempts."""

import ast
import re
from collections.abc import Iterator

from ..binding import FUNCTIONS, Function
from ..finding import Finding, Rule
from ..syntax import label, last_name

ASKS = re.compile(
    r"(^|_)(status|state|result|results|outcome|progress|check|poll|done|ready|finished|completed|complete|pending|running|processing|phase|stage)(_|$)"
    r"|^(get|fetch|describe|inquire|query|retrieve|lookup|track|inspect|find|load|refresh)_(operation|job|task|payment|order|export|report|transfer|request|run|execution)$"
    r"|^(describe|inquire|track|inspect|is_\w+)$",
)
ASKED = (
    "status",
    "state",
    "result",
    "outcome",
    "progress",
    "check",
    "poll",
    "done",
    "ready",
    "finished",
    "complete",
    "pending",
    "operation",
    "get_",
    "fetch",
    "describe",
    "is_",
    ".get(",
    "running",
    "inquire",
    "track",
)
COUNTS = re.compile(r"(count|attempts?|tries|retries|polls)\w* ?(\+=|=.*\+) ?1")
QUESTION = re.compile(
    r"await [\w.]*(status|state|result|outcome|progress|poll|done|ready|finished|complete|pending|check|operation|describe|inquire|track|is_)\w*\("
)
DEFINED = re.compile(r"^ *async def (\w+)", re.MULTILINE)
AWAITED = re.compile(r"await (?:self\.)?(\w+)\(")
ENDLESS = {"itertools.count", "itertools.repeat", "itertools.cycle", "iter"}
POLICIES = {"tenacity.retry", "tenacity.AsyncRetrying", "tenacity.Retrying", "backoff.on_predicate"}
TAKES = {
    *("get", "pop", "popleft", "recv", "receive", "read", "readline", "accept", "next", "anext"),
    *("claim", "next_batch", "due", "fetch", "lease", "dequeue", "consume"),
}
OWN = {
    "is_set",
    "is_closed",
    "is_connected",
    "is_disconnected",
    "is_file",
    "is_dir",
    "check_same_thread",
    "is_alive",
    "is_empty",
}
TELLS = re.compile(
    r"^_*(set|on|handle|mark|save|update|write|put|raise|send|reload|store|record|add|emit|publish|report|reset|clear|notify|process|apply|run|make|create|build|parse)_"
)
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
    nodes = (ast.While, ast.For, ast.AsyncFor, ast.Call, ast.AugAssign, ast.Assign, *FUNCTIONS)
    exempt_in_tests = True

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Files that ask and can ask again: in a loop, by a policy, by recursion; and those that count a row's attempts."""
        if "retry_if_" in text or "on_predicate" in text or (COUNTS.search(text) is not None and "_at" in text):
            return True
        if ("await" not in text and "sleep" not in text) or not any(word in text for word in ASKED):
            return False
        if "while " in text or any(word in text for word in ("count(", "repeat(", "cycle(", "iter(")):
            return True
        if set(AWAITED.findall(text)).isdisjoint(DEFINED.findall(text)) or QUESTION.search(text) is None:
            return False
        parts_of = DEFINED.split(text)  # the name and the text up to the next function, in turns
        return any(name in AWAITED.findall(body) for name, body in zip(parts_of[1::2], parts_of[2::2], strict=True))

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Loops without a bound, recursion without one, and policies without a stop, around a question for a status."""
        if isinstance(node, FUNCTIONS):
            if self._recurs_without_end(node):
                yield self.finding(node)
        elif isinstance(node, ast.Call):
            if self._never_stops(node) or any(
                self.view.row_counts.endless(k.value, k.arg or "", node) for k in node.keywords
            ):
                yield self.finding(node)
        elif isinstance(node, (ast.AugAssign, ast.Assign)):
            target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
            if isinstance(target, ast.Attribute) and self.view.row_counts.endless(node, target.attr, node):
                yield self.finding(node)
        elif (
            self._endless(node) and self._asks(node) and not self._is_bounded(node) and not self._slept_in_request(node)
        ):
            yield self.finding(node)

    def _never_stops(self, call: ast.Call) -> bool:
        """A policy that repeats as long as the answer is not there yet, without `stop=` or `max_tries=`."""
        name = self.resolver.name(call.func)
        if name not in POLICIES:
            return False
        given, complete = self.values.mapping(call)
        if name == "backoff.on_predicate":
            return complete and not {"max_tries", "max_time"} & set(given)
        if not complete:
            return False
        condition, stop = given.get("retry"), given.get("stop")
        endless = stop is None or (isinstance(stop, ast.expr) and self.resolver.name(stop) == "tenacity.stop_never")
        return endless and isinstance(condition, ast.expr) and self._waits_for_answer(condition)

    def _waits_for_answer(self, condition: ast.expr) -> bool:
        """`retry_if_result(is_pending)`; not one that judges a status of HTTP."""
        made = [condition] if isinstance(condition, ast.Call) else self.resolver.made_by(condition)
        for call in made:
            if not self.resolver.name(call.func).endswith(("retry_if_result", "retry_if_not_result")) or not call.args:
                continue
            judge = self.resolver.function_of(call.args[0])
            return judge is None or "status_code" not in ast.unparse(judge)
        return False

    def _endless(self, node: ast.AST) -> bool:
        if isinstance(node, ast.While):
            return True
        if isinstance(node, (ast.For, ast.AsyncFor)) and isinstance(node.iter, ast.Call):
            name = self.resolver.name(node.iter.func)
            if name == "iter":
                return len(node.iter.args) > 1 and not isinstance(node.iter.args[0], ast.Attribute)
            return name in ENDLESS and not (name == "itertools.repeat" and len(node.iter.args) > 1)
        return False

    def _asks(self, loop: ast.AST) -> bool:
        """Whether a round asks how far something is: by a method's name, or by a GET whose answer ends the loop."""
        inner = self.source.local(loop)
        calls = [n.value for n in inner if isinstance(n, ast.Await) and isinstance(n.value, ast.Call)]
        rests = any(isinstance(n, ast.Call) and self.view.sleeps.rests(n) for n in inner)
        blocking = not isinstance(self.source.function(inner[0]) if inner else None, ast.AsyncFunctionDef)
        plain = [n for n in inner if isinstance(n, ast.Call)] if rests and blocking else []
        if any(self._is_question(last_name(c.func)) for c in (*calls, *plain)):
            return self._about_it(loop)
        if rests and any(self._decides(c, loop) for c in calls):
            return True
        gets = [
            s
            for c in (*calls, *plain)
            for s in [self.view.http.outbound(c)]
            if s is not None and s.method in ("get", "request")
        ]
        return bool(gets) and rests and self._about_it(loop)

    def _decides(self, call: ast.Call, loop: ast.AST) -> bool:
        """`verdict = await register.verdict(id)`, `if verdict: return`: asked until there is an answer."""
        assign = self.source.statement(call)
        if (
            last_name(call.func) in TAKES
            or not isinstance(assign, ast.Assign)
            or assign.value is not self.source.parents.get(call)
        ):
            return False
        names = {n.id for t in assign.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        return any(
            any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(test.test))
            and any(isinstance(s, (ast.Return, ast.Break)) for s in test.body)
            for test in self.source.local(loop)
            if isinstance(test, ast.If)
        )

    def _is_question(self, name: str) -> bool:
        return bool(ASKS.search(name)) and name not in OWN and not TELLS.match(name)

    def _about_it(self, loop: ast.AST) -> bool:
        """Whether the answer can end the loop: one that nothing ends serves for ever, and asks on purpose."""
        if isinstance(loop, FUNCTIONS):
            return True
        endless = not isinstance(loop, ast.While) or (isinstance(loop.test, ast.Constant) and bool(loop.test.value))
        return not endless or any(isinstance(n, (ast.Return, ast.Break)) for n in self.source.local(loop))

    def _is_bounded(self, loop: ast.AST) -> bool:
        """A comparison or a condition about attempts, time or a stop; a deadline around; or no way out meant (a worker)."""
        for node in self.source.local(loop):
            if isinstance(node, (ast.Compare, ast.AugAssign)) and BOUNDED.search(ast.unparse(node)):
                return True
        if isinstance(loop, ast.While) and BOUNDED.search(ast.unparse(loop.test)):
            return True
        if self._counts_to_an_end(loop):
            return True
        return self.view.deadlines.bounds(loop)

    def _counts_to_an_end(self, loop: ast.AST) -> bool:
        """`if polls >= most: return`, where `polls` goes up with every round."""
        counted = {
            n.target.id
            for n in self.source.local(loop)
            if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)
        }
        if isinstance(loop, (ast.For, ast.AsyncFor)):
            counted |= {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
        return any(
            any(
                isinstance(n, ast.Compare) and any(label(p) in counted for p in (n.left, *n.comparators))
                for n in ast.walk(test.test)
            )
            and any(isinstance(s, (ast.Return, ast.Break, ast.Raise)) for s in test.body)
            for test in self.source.local(loop)
            if isinstance(test, ast.If)
        )

    def _slept_in_request(self, loop: ast.AST) -> bool:
        """ASYNC-X1 says the graver thing about such a loop already."""
        calls = (n for n in self.source.local(loop) if isinstance(n, ast.Call))
        function = self.source.function(loop)
        if isinstance(loop, ast.Call) and function is not None:
            calls = (n for n in self.source.local(function) if isinstance(n, ast.Call))
        return self.view.roles.serves_requests(function) and any(self.view.sleeps.rests(c) for c in calls)

    def _recurs_without_end(self, function: Function) -> bool:
        again = [c for c in self.resolver.calls_in(function) if self.resolver.function_of(c.func) is function]
        if not again or not self._asks(function) or self._slept_in_request(again[0]):
            return False
        counted = any(
            isinstance(n, ast.BinOp) or (isinstance(n, ast.Constant) and n.value is False)
            for c in again
            for a in (*c.args, *(k.value for k in c.keywords))
            for n in ast.walk(a)
        )
        return not counted and not self.view.deadlines.bounds(again[0])
