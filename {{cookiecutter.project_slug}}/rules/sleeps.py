"""Calls that sleep: the library's own, and helpers of this file or of another module that do nothing but wait."""

import ast
import math

from .binding import CALLABLES, FUNCTIONS, Function
from .resolver import Resolver
from .source import Source
from .syntax import argument, last_name
from .values import Values

SLEEPS = {"asyncio.sleep", "anyio.sleep", "trio.sleep", "time.sleep", "curio.sleep", "gevent.sleep", "eventlet.sleep"}
FOREVER = {"anyio.sleep_forever", "trio.sleep_forever"}
UNTIL = {"anyio.sleep_until", "trio.sleep_until"}
NAMES = ("delay", "seconds", "secs")
BESIDE = ("create_task", "gather", "ensure_future", "start_soon", "add_task")  # what is given to them runs beside
LONGEST_CHAIN = 6  # helpers that call helpers


class Sleeps:
    """Answers about one source."""

    def __init__(self, source: Source, resolver: Resolver, values: Values) -> None:
        self.source = source
        self.resolver = resolver
        self.values = values
        self._sleepers: dict[ast.AST, bool] = {}

    def is_sleep(self, call: ast.Call) -> bool:
        """Whether a call is a sleep of a library."""
        name = self.resolver.name(call.func)
        return name in SLEEPS or name in FOREVER or name in UNTIL or self._partial(call) is not None

    def delay(self, call: ast.Call) -> ast.expr | None:
        """The expression that says how long a sleep is."""
        partial = self._partial(call)
        given = [*(partial.args[1:] if partial is not None else ()), *call.args]
        keywords = [*(partial.keywords if partial is not None else ()), *call.keywords]
        if given and isinstance(given[0], ast.Starred):
            box = given[0].value
            return box.elts[0] if isinstance(box, (ast.List, ast.Tuple)) and box.elts else None
        delay = given[0] if given else next((k.value for k in keywords if k.arg in NAMES), None)
        if delay is None and any(k.arg is None for k in call.keywords):
            delay = next(
                (v for k, v in self.values.mapping(call)[0].items() if k in NAMES and isinstance(v, ast.expr)), None
            )
        if isinstance(delay, ast.BinOp) and self.resolver.name(call.func) in UNTIL:
            return delay.right
        return delay

    def seconds(self, call: ast.Call) -> list[float]:
        """The lengths, in seconds, that a sleep can have; helpers with a parameter, and settings' defaults, included."""
        configured = self.values.configured
        if self.is_sleep(call):
            if self.resolver.name(call.func) in FOREVER:
                return [math.inf]
            return configured.seconds(self.delay(call))
        function = self.resolver.function_of(call.func)
        if isinstance(function, FUNCTIONS):
            handed = handed_on(self, call, function)
            return configured.seconds(handed) if handed is not None else []
        if function is None and self._can_be_foreign(call):
            there = self.resolver.foreign(call.func)
            if there is not None and isinstance(there.function, FUNCTIONS):
                handed = handed_on(there.view.sleeps, call, there.function)
                return configured.seconds(handed) if handed is not None else []
        return []

    def pauses(self, function: ast.AST | None, depth: int = 0) -> bool:
        """Whether a function of this file sleeps when it is called, outside a loop of its own."""
        if function is None or depth > LONGEST_CHAIN or not isinstance(function, CALLABLES):
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
        if self._waits_for_nothing(call):
            return True
        if not last_name(call.func) or last_name(call.func) in BESIDE:
            return False
        function = self.resolver.function_of(call.func)
        if function is not None:
            return self.pauses(function, depth)
        there = self.resolver.foreign(call.func) if self._can_be_foreign(call) else None
        return there is not None and depth <= LONGEST_CHAIN and there.view.sleeps.pauses(there.function, depth + 1)

    def ticks(self, node: ast.expr) -> bool:
        """Whether an iterable is a generator that sleeps between its items."""
        if not isinstance(node, ast.Call):
            return False
        function = self.resolver.function_of(node.func)
        if function is not None:
            return self._paced(function)
        there = self.resolver.foreign(node.func)
        return there is not None and there.view.sleeps._paced(there.function)

    def yields(self, call: ast.Call) -> bool:
        """Whether a sleep is `sleep(0)`: it lets others run and waits for nothing."""
        return self.values.of(self.delay(call)) == [0]

    def _paced(self, function: ast.AST) -> bool:
        inner = self.source.local(function)
        return any(isinstance(n, ast.Yield) for n in inner) and any(
            isinstance(n, ast.Call) and self.rests(n, 1) for n in inner
        )

    def _waits_for_nothing(self, call: ast.Call) -> bool:
        """`wait_for(event.wait(), 1)`, whose end is swallowed or suppressed: a sleep that can be woken."""
        if self.resolver.name(call.func) != "asyncio.wait_for" or argument(call, 1, "timeout") is None:
            return False
        awaited = argument(call, 0, "fut")
        return isinstance(awaited, ast.Call) and last_name(awaited) == "wait" and not awaited.args

    def _can_be_foreign(self, call: ast.Call) -> bool:
        """Only what is awaited, or a plain call of an imported name, is worth looking for in another module."""
        return self.resolver.elsewhere is not None and isinstance(call.func, (ast.Name, ast.Attribute))

    def _partial(self, call: ast.Call) -> ast.Call | None:
        if isinstance(call.func, (ast.Name, ast.Attribute)):
            for made in self.resolver.made_by(call.func):
                if last_name(made.func) == "partial" and made.args and self.resolver.name(made.args[0]) in SLEEPS:
                    return made
        return None


def handed_on(sleeps: Sleeps, call: ast.Call, function: Function) -> ast.expr | None:
    """The argument of a call that a helper, seen by the sleeps of its own module, hands on to its sleep."""
    for inner in sleeps.resolver.calls_in(function):
        delay = sleeps.delay(inner) if sleeps.is_sleep(inner) else None
        named = {n.id for n in ast.walk(delay) if isinstance(n, ast.Name)} if isinstance(delay, ast.expr) else set()
        names = [a.arg for a in (*function.args.posonlyargs, *function.args.args) if a.arg not in ("self", "cls")]
        plain = isinstance(delay, ast.Name)
        for name in named if plain else ():
            given = argument(call, names.index(name) if name in names else len(call.args), name)
            if given is not None:
                return given
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
