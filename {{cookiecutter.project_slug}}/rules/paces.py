"""How the waits between attempts go: growing, or flat; of a library's policy, and of a loop written by hand."""

import ast
import re
from typing import Literal

from .arithmetic import UNKNOWN
from .binding import FUNCTIONS
from .flow import reaching
from .growth import refers
from .resolver import Resolver
from .sleeps import Sleeps
from .source import Source
from .syntax import last_name
from .values import Values

Shape = Literal["flat", "growing", "unknown"]
FLAT = {
    "tenacity.wait_none",
    "tenacity.wait_fixed",
    "tenacity.wait_random",
    "tenacity.wait_incrementing",
    "backoff.constant",
    "backoff.runtime",
}
GROWING = {
    "tenacity.wait_exponential",
    "tenacity.wait_exponential_jitter",
    "tenacity.wait_random_exponential",
    "tenacity.wait_full_jitter",
}
PAUSES = re.compile(
    r"(back_?off|wait|pause|sleep|delay|nap|rest|hold)", re.IGNORECASE
)  # helpers that source does not show
DEEPEST = 6


class Paces:
    """Answers about one source."""

    def __init__(self, source: Source, resolver: Resolver, values: Values, sleeps: Sleeps) -> None:
        self.source = source
        self.resolver = resolver
        self.values = values
        self.sleeps = sleeps

    def policy(self, node: ast.expr, depth: int = 0) -> Shape:
        """The shape of a `wait=`."""
        if depth > DEEPEST:
            return "unknown"
        if isinstance(node, ast.Constant):
            return "flat"
        if isinstance(node, ast.Lambda):
            return "flat" if not self._uses(node.body, {a.arg for a in node.args.args}) else "unknown"
        if isinstance(node, ast.BinOp):
            return self._together([node.left, node.right], depth)
        if isinstance(node, ast.IfExp):
            return self._together([node.body, node.orelse], depth)
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        bindings = self.resolver.attribute(node) if isinstance(node, ast.Attribute) else []
        if isinstance(node, ast.Name):
            bindings = reaching(self.source, node.id, node)
        shapes = [
            self.policy(b.value, depth + 1)
            for b in bindings
            if b.kind in ("value", "parameter") and b.value is not None
        ]
        return shapes[0] if shapes else self._named(node, depth)

    def hand_written(self, loop: ast.AST) -> tuple[Shape, ast.AST]:
        """The shape of the waits in a loop that tries again, and the place that shows it."""
        calls = [n for n in self.source.local(loop) if isinstance(n, ast.Call)]
        waits = [c for c in calls if self.sleeps.is_sleep(c) or self.sleeps.rests(c)]
        if not waits:
            return ("unknown" if any(PAUSES.search(last_name(c.func)) for c in calls) else "flat"), loop
        shapes = [(self._wait(c, loop), c) for c in waits]
        return next((s for s in shapes if s[0] != "flat"), shapes[0])

    def _wait(self, call: ast.Call, loop: ast.AST) -> Shape:
        if self.sleeps.yields(call):
            return "flat"
        if not self.sleeps.is_sleep(call):
            return "unknown" if call.args or call.keywords else "flat"
        delay = self.sleeps.delay(call)
        return self._delay(delay, loop) if delay is not None else "unknown"

    def _delay(self, delay: ast.expr, loop: ast.AST) -> Shape:
        """`2**attempt` and `pause *= 2` grow; a number, a setting, `0.5 * attempt` and chance alone do not."""
        rounds = (
            {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
            if isinstance(loop, (ast.For, ast.AsyncFor))
            else set()
        )
        rounds |= {
            n.target.id
            for n in self.source.local(loop)
            if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name) and isinstance(n.op, (ast.Add, ast.Sub))
        }
        for node in ast.walk(delay):
            if (
                isinstance(node, ast.BinOp)
                and isinstance(node.op, (ast.Pow, ast.LShift))
                and self._uses(node.right, rounds)
            ):
                return "growing"
            if isinstance(node, ast.Call) and self.resolver.name(node.func) in (
                "math.exp",
                "math.pow",
                "pow",
                "math.ldexp",
            ):
                return "growing"
            if isinstance(node, ast.Subscript) or (isinstance(node, ast.Call) and self._is_unknown(node, rounds)):
                return "unknown"
            if isinstance(node, ast.Name) and self._name_grows(node, loop, rounds):
                return "growing"
        if isinstance(delay, ast.Name) and delay.id in rounds and isinstance(loop, (ast.For, ast.AsyncFor)):
            return self._listed(loop.iter)
        return "flat"

    def _name_grows(self, name: ast.Name, loop: ast.AST, rounds: set[str]) -> bool:
        for binding in reaching(self.source, name.id, name):
            inside = any(a is loop for a in self.source.ancestors(binding.node))
            if not inside or binding.value is None or not refers(binding, name.id):
                if inside and binding.kind == "value" and binding.value is not None and binding.value is not name:
                    shape = self._delay(binding.value, loop)
                    if shape != "flat":
                        return True
                continue
            if isinstance(binding.node, ast.AugAssign):
                if isinstance(binding.node.op, (ast.Mult, ast.Pow, ast.LShift)):
                    return True
            elif any(
                isinstance(n, ast.BinOp) and isinstance(n.op, (ast.Mult, ast.Pow)) for n in ast.walk(binding.value)
            ):
                return True
        return False

    def _is_unknown(self, call: ast.Call, rounds: set[str]) -> bool:
        """A helper that may make the wait grow; chance, limits and conversions are looked into."""
        name = self.resolver.name(call.func)
        if name.startswith(("random.", "secrets.")) or name in ("min", "max", "float", "int", "round", "abs"):
            return False
        return self.values.of(call) == [UNKNOWN] or self._uses(call, rounds)

    def _listed(self, items: ast.expr) -> Shape:
        """The waits of `for pause in (0.1, 0.5, 2)`."""
        for worth in self.values.of(items):
            if isinstance(worth, tuple) and worth and all(isinstance(v, (int, float)) for v in worth):
                numbers = [float(v) for v in worth if isinstance(v, (int, float))]
                return "growing" if numbers == sorted(numbers) and len(set(numbers)) > 1 else "flat"
            if isinstance(worth, range):
                return "flat"
        return "unknown"

    def _uses(self, node: ast.AST, names: set[str]) -> bool:
        return any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node))

    def _named(self, node: ast.expr, depth: int) -> Shape:
        """A wait by the name of a strategy, of a function here, or of another module's wait."""
        name = self.resolver.name(node)
        if name in FLAT:
            return "flat"
        function = self.resolver.function_of(node)
        if isinstance(function, FUNCTIONS):
            return self._function(function)
        there = self.resolver.elsewhere.value(name) if self.resolver.elsewhere is not None else None
        return there[0].paces.policy(there[1], depth + 1) if there is not None else "unknown"

    def _function(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Shape:
        """A function that gives the wait: flat when it does not look at what it is given."""
        given = {a.arg for a in function.args.args} - {"self", "cls"}
        returns = [n.value for n in self.source.local(function) if isinstance(n, ast.Return)]
        known = all(r is not None and self.values.seconds(r) for r in returns)
        looks = any(self._uses(s, given) for s in function.body)
        return "flat" if returns and known and not looks else "unknown"

    def _call(self, node: ast.Call, depth: int) -> Shape:
        kind = self.resolver.name(node.func)
        if kind == "tenacity.wait_chain":
            return self._chain(node, depth)
        if kind == "tenacity.wait_combine":
            return self._together(node.args, depth)
        if kind in GROWING:
            return "flat" if self._does_not_grow(node) else "growing"
        if kind in FLAT:
            return "flat"
        function = self.resolver.function_of(node.func)
        returns = (
            [n.value for n in self.source.local(function) if isinstance(n, ast.Return)] if function is not None else []
        )
        shapes = [self.policy(r, depth + 1) for r in returns if r is not None]
        return shapes[0] if shapes else "unknown"

    def _does_not_grow(self, node: ast.Call) -> bool:
        """`wait_exponential(exp_base=1)`, or a least wait that is the most."""
        given = self.values.mapping(node)[0]
        numbers = {k: self.values.seconds(v) for k, v in given.items() if isinstance(v, ast.expr)}
        base, least, most = numbers.get("exp_base"), numbers.get("min"), numbers.get("max")
        return bool(base and max(base) <= 1) or bool(least and most and max(least) >= max(most))

    def _together(self, parts: list[ast.expr], depth: int) -> Shape:
        shapes = [self.policy(p, depth + 1) for p in parts]
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
