"""Calls that sleep: the library's own, and helpers of the same file that do nothing but wait."""

import ast

from .binding import CALLABLES, FUNCTIONS, Function
from .resolver import Resolver
from .source import Source
from .syntax import last_name
from .values import Values

SLEEPS = {"asyncio.sleep", "anyio.sleep", "trio.sleep", "time.sleep", "curio.sleep", "gevent.sleep", "eventlet.sleep"}
NAMES = ("delay", "seconds", "secs")


class Sleeps:
    """Answers about one source."""

    def __init__(self, source: Source, resolver: Resolver, values: Values) -> None:
        self.source = source
        self.resolver = resolver
        self.values = values
        self._sleepers: dict[ast.AST, bool] = {}

    def is_sleep(self, call: ast.Call) -> bool:
        """Whether a call is a sleep of a library."""
        return self.resolver.name(call.func) in SLEEPS or self._partial(call) is not None

    def delay(self, call: ast.Call) -> ast.expr | None:
        """The expression that says how long a sleep is."""
        partial = self._partial(call)
        arguments = [*(partial.args[1:] if partial is not None else ()), *call.args]
        keywords = [*(partial.keywords if partial is not None else ()), *call.keywords]
        if arguments and isinstance(arguments[0], ast.Starred):
            box = arguments[0].value
            return box.elts[0] if isinstance(box, (ast.List, ast.Tuple)) and box.elts else None
        return arguments[0] if arguments else next((k.value for k in keywords if k.arg in NAMES), None)

    def seconds(self, call: ast.Call) -> list[float]:
        """The lengths, in seconds, that a sleep can have as far as source shows; helpers with a parameter included."""
        if self.is_sleep(call):
            found = self.values.seconds(self.delay(call))
            given = self.values.mapping(call)[0] if not found else {}
            return found or [float(v) for k, v in given.items() if k in NAMES and isinstance(v, (int, float))]
        function = self.resolver.function_of(call.func)
        if isinstance(function, FUNCTIONS):
            argument = self._argument(call, function)
            if argument is not None:
                return self.values.seconds(argument)
        return []

    def pauses(self, function: ast.AST | None, depth: int = 0) -> bool:
        """Whether a function of this file sleeps when it is called, outside a loop of its own."""
        if function is None or depth > 6 or not isinstance(function, CALLABLES):
            return False
        known = self._sleepers.get(function)
        if known is None:
            self._sleepers[function] = False
            known = self._sleepers[function] = any(
                self.rests(call, depth + 1) and loop_of(self.source, call) is None
                for call in self.resolver.calls_in(function)
            )
        return known

    def rests(self, call: ast.Call, depth: int = 0) -> bool:
        """Whether a call sleeps for a while: a library's sleep of more than zero, or a helper that pauses."""
        if self.is_sleep(call):
            return not self.yields(call)
        name = last_name(call.func)
        if not name or name in ("create_task", "gather"):
            return False
        return self.pauses(self.resolver.function_of(call.func), depth)

    def yields(self, call: ast.Call) -> bool:
        """Whether a sleep is `sleep(0)`: it lets others run and waits for nothing."""
        return self.values.of(self.delay(call)) == [0]

    def _partial(self, call: ast.Call) -> ast.Call | None:
        if isinstance(call.func, (ast.Name, ast.Attribute)):
            for made in self.resolver.made_by(call.func):
                if last_name(made.func) == "partial" and made.args and self.resolver.name(made.args[0]) in SLEEPS:
                    return made
        return None

    def _argument(self, call: ast.Call, function: Function) -> ast.expr | None:
        """The argument that a helper hands on to its sleep."""
        for inner in self.resolver.calls_in(function):
            delay = self.delay(inner) if self.is_sleep(inner) else None
            if not isinstance(delay, ast.Name):
                continue
            names = [a.arg for a in (*function.args.posonlyargs, *function.args.args) if a.arg not in ("self", "cls")]
            named = next((k.value for k in call.keywords if k.arg == delay.id), None)
            if named is not None:
                return named
            if delay.id in names and names.index(delay.id) < len(call.args):
                return call.args[names.index(delay.id)]
        return None


def loop_of(source: Source, node: ast.AST) -> ast.AST | None:
    """The loop or comprehension that repeats a node, within its function."""
    child = node
    for parent in source.ancestors(node):
        if isinstance(parent, (*CALLABLES, ast.ClassDef)):
            return None
        if isinstance(parent, (ast.For, ast.AsyncFor)) and any(child is s for s in parent.body):
            return parent
        if isinstance(parent, ast.While) and (child is parent.test or any(child is s for s in parent.body)):
            return parent
        if isinstance(parent, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)) and not isinstance(
            child, ast.comprehension
        ):
            return parent
        child = parent
    return None
