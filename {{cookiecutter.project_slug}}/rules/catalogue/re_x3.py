"""R-RES-RE-X3."""

import ast
from collections.abc import Iterator
from typing import Literal

from ..binding import FUNCTIONS
from ..finding import Finding, Rule
from ..flow import reaching
from ..syntax import keyword

Shape = Literal["flat", "growing", "unknown"]
FLAT = {
    "tenacity.wait_none",
    "tenacity.wait_fixed",
    "tenacity.wait_random",
    "tenacity.wait_incrementing",
    "backoff.constant",
    "backoff.runtime",
}
GROWING = {"tenacity.wait_exponential", "tenacity.wait_exponential_jitter", "tenacity.wait_random_exponential"}
POLICIES = ("tenacity.retry", "tenacity.AsyncRetrying", "tenacity.Retrying")


class RetryWithoutBackoff(Rule):
    """A retry without exponential backoff.

    Attempts that follow at once, or at one pace, arrive together from every process and keep a sick system down. Use
    `wait=wait_random_exponential(...)` with numbers from settings. (A bare `@retry` also repeats every error for ever: RE-X2.)
    """

    code = "RE-X3"
    nodes = (*FUNCTIONS, ast.Call)
    needs = (("tenacity", "stamina", "backoff"),)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """A bare decorator, a policy without `wait`, or one whose waits do not grow."""
        if isinstance(node, FUNCTIONS):
            for decorator in node.decorator_list:
                if not isinstance(decorator, ast.Call) and self.resolver.name(decorator) == "tenacity.retry":
                    yield self.finding(decorator)
            return
        if not isinstance(node, ast.Call):
            return
        policy = self.resolver.name(node.func)
        if policy in POLICIES:
            given, complete = self.values.mapping(node)
            wait = given.get("wait")
            if wait is None:
                if complete and not self.view.roles.in_repository(node):
                    yield self.finding(node)
            elif isinstance(wait, ast.expr) and self._shape(wait) == "flat":
                yield self.finding(node)
        elif policy in ("backoff.on_exception", "backoff.on_predicate"):
            generator = keyword(node, "wait_gen") or (node.args[0] if node.args else None)
            if self.resolver.name(generator) in FLAT:
                yield self.finding(node)
        elif policy in ("stamina.retry", "stamina.retry_context"):
            base = keyword(node, "wait_exp_base")
            if base is not None and self.values.seconds(base) and max(self.values.seconds(base)) <= 1:
                yield self.finding(node)

    def _shape(self, node: ast.expr, depth: int = 0) -> Shape:
        if depth > 6:
            return "unknown"
        if isinstance(node, ast.Constant):
            return "flat"
        if isinstance(node, ast.Lambda):
            return "flat" if isinstance(node.body, ast.Constant) else "unknown"
        if isinstance(node, ast.BinOp):
            return self._together([node.left, node.right], depth)
        if isinstance(node, ast.Name):
            bindings = reaching(self.source, node.id, node)
        elif isinstance(node, ast.Attribute):
            bindings = self.resolver.attribute(node)
        else:
            return self._call(node, depth) if isinstance(node, ast.Call) else "unknown"
        shapes = [
            self._shape(b.value, depth + 1)
            for b in bindings
            if b.kind in ("value", "parameter") and b.value is not None
        ]
        return shapes[0] if shapes else "unknown"

    def _call(self, node: ast.Call, depth: int) -> Shape:
        kind = self.resolver.name(node.func)
        if kind == "tenacity.wait_chain":
            return self._chain(node, depth)
        if kind == "tenacity.wait_combine":
            return self._together(node.args, depth)
        if kind in GROWING:
            return "growing"
        return "flat" if kind in FLAT else "unknown"

    def _together(self, parts: list[ast.expr], depth: int) -> Shape:
        shapes = [self._shape(p, depth + 1) for p in parts]
        if "growing" in shapes:
            return "growing"
        return "flat" if shapes and all(s == "flat" for s in shapes) else "unknown"

    def _chain(self, node: ast.Call, depth: int) -> Shape:
        """A chain of fixed waits grows when its numbers do."""
        if any(isinstance(a, ast.Starred) for a in node.args):
            return "unknown"
        waits = [self.values.seconds(a.args[0]) for a in node.args if isinstance(a, ast.Call) and a.args]
        numbers = [max(w) for w in waits if w]
        if len(numbers) == len(node.args) and len(set(numbers)) > 1 and numbers == sorted(numbers):
            return "growing"
        return self._together(node.args, depth)
