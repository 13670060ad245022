"""R-RES-CB-X2."""

import ast
import re
from collections.abc import Iterator

from ..binding import FUNCTIONS
from ..finding import Finding, Rule
from ..syntax import last_name

NAMED = re.compile(r"(circuit_?breaker|^breaker$|breaker$)", re.IGNORECASE)
COUNTER = re.compile(r"(fail|error|count|strike|miss|bad|consecutive)", re.IGNORECASE)
OPENED = re.compile(r"(open|until|state|since|trip|block|disabled|closed|retry_at|reset)", re.IGNORECASE)
COUNTS_IN = re.compile(
    r"^(__a?exit__|_?(on|record|note|register|count|mark|handle)_?(fail|error)\w*|_?(fail|failed|failure|error)s?)$"
)
HELPERS = (
    "Listener",
    "Settings",
    "Error",
    "Exception",
    "Config",
    "Metrics",
    "Mode",
    "State",
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
    needs = (("+= 1", "+=1", "+ 1", "+1"), ("except", "__aexit__", "fail", "error", "Breaker"))
    exempt_in_tests = True

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A class that counts failures, keeps a state and refuses; or a function that does so with outer variables."""
        if isinstance(node, ast.ClassDef):
            if self._named(node) or self._shaped(node, set()):
                yield self.finding(node)
        elif isinstance(node, FUNCTIONS) and self.source.owner(node) is None:
            outer = {n for s in node.body if isinstance(s, (ast.Global, ast.Nonlocal)) for n in s.names}
            outer |= {_label(n) for n in ast.walk(node) if isinstance(n, ast.Subscript) and self._is_module_state(n)}
            if outer and self._shaped(node, outer):
                yield self.finding(node)

    def _is_module_state(self, node: ast.Subscript) -> bool:
        """`STATE["failures"]` of a dictionary that the module keeps."""
        return bool(_label(node)) and isinstance(node.value, ast.Name) and node.value.id in self.source.module.names

    def _named(self, node: ast.ClassDef) -> bool:
        if not NAMED.search(node.name) or self._builds_on_library(node):
            return False
        return any(COUNTER.search(name) for name in self._grown(node))

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
        if isinstance(node, ast.ClassDef) and not counted:
            counted = self._counted_by_method(handlers, node)
        counted = {name for name in counted if COUNTER.search(name)}
        if outer:
            counted &= outer
        if not counted:
            return False
        names = {_label(t) for t in self._assigned(node)} - counted
        if outer:
            names &= outer
        remembers = any(OPENED.search(n) for n in names)
        compared = any(
            isinstance(n, ast.Compare) and any(_label(p) in counted for p in (n.left, *n.comparators))
            for n in ast.walk(node)
        )
        refuses = any(
            isinstance(n, ast.If) and any(_label(p) in names for p in ast.walk(n.test)) and self._leaves(n.body)
            for n in ast.walk(node)
        )
        return remembers and compared and refuses

    def _leaves(self, body: list[ast.stmt]) -> bool:
        return any(isinstance(n, (ast.Raise, ast.Return)) for s in body for n in ast.walk(s))

    def _counted_by_method(self, handlers: list[ast.ExceptHandler], node: ast.ClassDef) -> set[str]:
        called = {last_name(c.func) for h in handlers for c in ast.walk(h) if isinstance(c, ast.Call)}
        methods = [m for m in node.body if isinstance(m, FUNCTIONS) and m.name in called]
        return {name for m in methods for name in self._grown(m)}

    def _grown(self, node: ast.AST) -> set[str]:
        found = {_label(n.target) for n in ast.walk(node) if isinstance(n, ast.AugAssign) and isinstance(n.op, ast.Add)}
        for assign in (n for n in ast.walk(node) if isinstance(n, ast.Assign)):
            value = assign.value
            if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
                found |= {_label(t) for t in assign.targets} & {_label(value.left), _label(value.right)}
        return found - {""}

    def _assigned(self, node: ast.AST) -> Iterator[ast.AST]:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Assign):
                yield from inner.targets
            elif isinstance(inner, ast.AnnAssign):
                yield inner.target


def _label(node: ast.AST) -> str:
    """The name of a variable or attribute, or the key of an item."""
    if isinstance(node, ast.Subscript):
        return node.slice.value if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str) else ""
    return last_name(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
