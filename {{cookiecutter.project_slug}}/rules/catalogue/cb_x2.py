"""R-RES-CB-X2."""

import ast
import re
from collections.abc import Iterator

from ..binding import FUNCTIONS
from ..finding import Finding, Rule
from ..flow import find_scope
from ..syntax import label, last_name

NAMED = re.compile(r"(circuit_?breaker|^breaker$|breaker$)", re.IGNORECASE)
COUNTER = re.compile(r"(fail|error|count|strike|miss|bad|consecutive)", re.IGNORECASE)
OPENED = re.compile(r"(open|until|state|since|trip|block|disabled|closed|retry_at|reset)", re.IGNORECASE)
COUNTS_IN = re.compile(
    r"^(__a?exit__|_?(on|record|note|register|count|mark|handle)_?(fail|error)\w*|_?(fail|failed|failure|error)s?)$"
)
CLOCK = re.compile(r"^(monotonic|time|now|utcnow|perf_counter|loop_time|timestamp)$")
REMEMBERS = ("until", "open", "Open", "blown", "state", "trip", "block", "monotonic", "time()", "now(", "perf_counter")
PERMITS = re.compile(
    r"^_?(allows?|allowed|can_\w+|may_\w+|permits?|is_allowed|is_available|available|ready|is_closed)$"
)
HELPERS = (
    "Listener",
    "Settings",
    "Error",
    "Exception",
    "Config",
    "Metrics",
    "Mode",
    "Storage",
    "Registry",
    "Open",
)


class HomeMadeBreaker(Rule):
    """A home-made circuit breaker of counters and try/except.

    Half-open trials, slow calls, cancellation and concurrency are where such a thing goes wrong, and it reports to nobody. Use the kit's
    guard, or a library's state machine (aiobreaker).
    """

    code = "CB-X2"
    level = "warning"
    nodes = (ast.ClassDef, *FUNCTIONS)
    needs = (
        ("+=", "+ 1", "+1", "-=", "append", "- 1"),
        ("except", "__aexit__", "__exit__", "fail", "error", "Breaker"),
    )

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Files that count failures and remember when, or speak of breakers."""
        if not super().concerns(text, parts):
            return False
        return "reaker" in text or (COUNTER.search(text) is not None and any(word in text for word in REMEMBERS))

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A class that counts failures, keeps a state and refuses; or a function that does so with outer variables."""
        if isinstance(node, ast.ClassDef):
            if self._named(node) or self._shaped(node, set()):
                yield self.finding(node)
        elif isinstance(node, FUNCTIONS) and self.source.owner(node) is None:
            outer = {n for s in node.body if isinstance(s, (ast.Global, ast.Nonlocal)) for n in s.names}
            outer |= {label(n) for n in ast.walk(node) if isinstance(n, ast.Subscript) and self._is_module_state(n)}
            if outer and self._shaped(node, outer):
                around = [a for a in self.source.ancestors(node) if isinstance(a, FUNCTIONS)]
                yield self.finding(around[-1] if around else node)

    def _is_module_state(self, node: ast.Subscript) -> bool:
        """`STATE["failures"]` of a dictionary that the module, or a function around this one, keeps."""
        if not label(node) or not isinstance(node.value, ast.Name):
            return False
        scope = find_scope(self.source, node.value.id, node)
        bindings = scope.names[node.value.id] if scope is not None else []
        return scope is not self.source.scope(node) and bool(bindings) and all(b.kind == "value" for b in bindings)

    def _named(self, node: ast.ClassDef) -> bool:
        if not NAMED.search(node.name) or self._builds_on_library(node):
            return False
        stored = any(
            isinstance(n, ast.Call) and last_name(n.func) in ("incr", "incrby", "hincrby") for n in ast.walk(node)
        )
        return stored or any(COUNTER.search(name) for name in self._grown(node))

    def _builds_on_library(self, node: ast.ClassDef) -> bool:
        if any("reaker" in base for base in self.resolver.bases(node)):
            return True
        return any(
            self.view.retries.breaker(n) and isinstance(n, ast.Call) and NAMED.search(self.resolver.name(n.func))
            for n in ast.walk(node)
            if isinstance(n, ast.Call) and self.resolver.name(n.func).partition(".")[0] != "<here>"
        )

    def _shaped(self, node: ast.AST, outer: set[str]) -> bool:
        """Counts failures where an error is caught, compares with a limit, and refuses by time or state."""
        if isinstance(node, ast.ClassDef) and (self._builds_on_library(node) or node.name.endswith(HELPERS)):
            return False
        handlers = [n for n in ast.walk(node) if isinstance(n, ast.ExceptHandler)]
        counters = [m for m in ast.walk(node) if isinstance(m, FUNCTIONS) and COUNTS_IN.search(m.name)]
        counted = {name for h in [*handlers, *counters] for name in self._grown(h)}
        if isinstance(node, ast.ClassDef) and not {name for name in counted if COUNTER.search(name)}:
            counted |= self._counted_by_method(handlers, node)
        counted = {name for name in counted if COUNTER.search(name)}
        if outer:
            counted &= outer
        if not counted:
            return False
        names = {label(t) for t in self._assigned(node)} - counted - {""}
        if outer:
            names &= outer
        remembers = any(OPENED.search(n) for n in names) or bool(self._timed(node) & names)
        asked = names | self._asking(node, names)
        compared = any(
            isinstance(n, ast.Compare) and any(self._counts(p, counted) for p in (n.left, *n.comparators))
            for n in ast.walk(node)
        )
        refuses = any(
            isinstance(n, ast.If) and any(label(p) in asked for p in ast.walk(n.test)) and self._leaves(n.body)
            for n in ast.walk(node)
        )
        return remembers and compared and (refuses or self._permits(node, names))

    def _counts(self, node: ast.expr, counted: set[str]) -> bool:
        """A counter, or the length of a list of failures."""
        if isinstance(node, ast.Call) and last_name(node.func) in ("len", "sum") and node.args:
            return label(node.args[0]) in counted
        return label(node) in counted

    def _asking(self, node: ast.AST, names: set[str]) -> set[str]:
        """The methods that answer from the state: `if not self.allows(): raise`."""
        return {
            m.name
            for m in ast.walk(node)
            if isinstance(m, FUNCTIONS)
            and any(
                isinstance(n, ast.Return) and n.value is not None and any(label(p) in names for p in ast.walk(n.value))
                for n in ast.walk(m)
            )
        }

    def _timed(self, node: ast.AST) -> set[str]:
        """What is given the time of the clock."""
        return {
            label(t)
            for n in ast.walk(node)
            if isinstance(n, ast.Assign)
            and any(isinstance(c, ast.Call) and CLOCK.search(last_name(c.func)) for c in ast.walk(n.value))
            for t in n.targets
        }

    def _permits(self, node: ast.AST, names: set[str]) -> bool:
        """A method that says whether a call may go, from the state: `return self.state is not OPEN`."""
        return any(
            isinstance(m, FUNCTIONS) and PERMITS.match(m.name) and {m.name} & self._asking(m, names)
            for m in ast.walk(node)
        )

    def _leaves(self, body: list[ast.stmt]) -> bool:
        return any(isinstance(n, (ast.Raise, ast.Return)) for s in body for n in ast.walk(s))

    def _counted_by_method(self, handlers: list[ast.ExceptHandler], node: ast.ClassDef) -> set[str]:
        called = {last_name(c.func) for h in handlers for c in ast.walk(h) if isinstance(c, ast.Call)}
        methods = [m for m in node.body if isinstance(m, FUNCTIONS) and m.name in called]
        return {name for m in methods for name in self._grown(m)}

    def _grown(self, node: ast.AST) -> set[str]:
        """What is counted up or down, or collected one by one."""
        found = {
            label(n.target)
            for n in ast.walk(node)
            if isinstance(n, ast.AugAssign) and isinstance(n.op, (ast.Add, ast.Sub))
        }
        for inner in ast.walk(node):
            if isinstance(inner, ast.Assign) and isinstance(inner.value, ast.BinOp):
                sides = {_counter(inner.value.left), _counter(inner.value.right)}
                found |= {label(t) for t in inner.targets} & sides
            elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
                found |= (
                    {label(inner.func.value)}
                    if inner.func.attr in ("append", "appendleft", "add", "increment", "incr", "incrby")
                    else set()
                )
        return found - {""}

    def _assigned(self, node: ast.AST) -> Iterator[ast.AST]:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Assign):
                yield from inner.targets
            elif isinstance(inner, ast.AnnAssign):
                yield inner.target


def _counter(node: ast.expr) -> str:
    """The name of what is counted: `errors`, `errors[system]`, `errors.get(system, 0)`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        return label(node.func.value)
    return label(node)
