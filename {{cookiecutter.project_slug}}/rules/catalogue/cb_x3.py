"""R-RES-CB-X3."""

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from ..binding import COMPREHENSIONS, FUNCTIONS, LOOPS
from ..finding import Finding, Rule
from ..flow import reaching
from ..syntax import argument, arguments, last_name

ADAPTER = re.compile(r"(Adapter|Gateway|Client|Facade|Api|Connector)$")
KINDS = {"aiobreaker.CircuitBreaker": 5, "pybreaker.CircuitBreaker": 6}  # position of `name` among the arguments


class UnnamedBreaker(Rule):
    """A breaker without a name, or with the name of another.

    Logs, metrics and alerts are read by that name: without one nobody knows which system is away. Pass `name=` with the system's name,
    one breaker per system.
    """

    code = "CB-X3"
    nodes = (ast.Module,)
    needs = (("CircuitBreaker",),)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """Breakers built without a name, with an empty one, or with a literal one that was used before."""
        seen: set[str] = set()
        for call in sorted(self.source.nodes(ast.Call), key=lambda c: (c.lineno, c.col_offset)):
            kind = self._kind(call)
            if not kind:
                yield from self._through_maker(call)
                continue
            if last_name(call.func) == "partial" and self._called_later(call):
                continue
            given, complete = self.values.mapping(call)
            position = KINDS[kind]
            name = given.get("name", call.args[position] if len(call.args) > position else None)
            if name is None:
                if complete:
                    yield self.finding(call)
                continue
            yield from self._judged(call, name, seen)
        yield from self._beside_two()

    def _beside_two(self) -> Iterator[Finding]:
        """One breaker that is handed over together with one adapter, and then with another: `Protected(crm, breaker=all)`."""
        first: dict[object, str] = {}
        for call in sorted(self.source.nodes(ast.Call), key=lambda c: (c.lineno, c.col_offset)):
            given = arguments(call)
            breakers = [a for a in given if isinstance(a, ast.Name) and self.resolver.kind(a) in KINDS]
            kinds = [self.resolver.kind(a).rpartition(".")[2] for a in given if a not in breakers] if breakers else []
            systems = [k for k in kinds if ADAPTER.search(k)]
            for breaker in breakers if len(systems) == 1 else ():
                bindings = reaching(self.source, breaker.id, breaker)
                known = first.setdefault(bindings[0] if bindings else breaker.id, systems[0])
                if known != systems[0]:
                    yield self.finding(call, about="one breaker for two systems")

    def _judged(self, call: ast.Call, name: object, seen: set[str]) -> Iterator[Finding]:
        worth = self.values.of(name) if isinstance(name, ast.AST) else [name]
        if all(v is None or (isinstance(v, str) and not v.strip()) for v in worth):
            yield self.finding(call)
        elif len(worth) == 1 and isinstance(worth[0], str) and "{}" not in worth[0]:
            if worth[0] in seen:
                yield self.finding(call, about=f"a second breaker called {worth[0]!r}")
            elif self._in_loop(call):
                yield self.finding(call, about=f"several breakers called {worth[0]!r}")
            seen.add(worth[0])

    def _through_maker(self, call: ast.Call) -> Iterator[Finding]:
        """`make("bank")` of a function of this file that names its breaker as it is told."""
        function = self.resolver.function_of(call.func) if self._makers else None
        parameter = self._makers.get(function, "") if function is not None else ""
        if not parameter or not isinstance(function, FUNCTIONS):
            return
        names = [a.arg for a in (*function.args.posonlyargs, *function.args.args) if a.arg not in ("self", "cls")]
        name = argument(call, names.index(parameter) if parameter in names else len(call.args), parameter)
        if name is not None:
            yield from self._judged(call, name, self._told.setdefault(self.source.function(call), set()))

    @cached_property
    def _told(self) -> dict[ast.AST | None, set[str]]:
        """The names that makers were told, by function: what two functions build are alternatives."""
        return {}

    @cached_property
    def _makers(self) -> dict[ast.AST, str]:
        """The functions that build a breaker, and the parameter that is its name."""
        found: dict[ast.AST, str] = {}
        for call in self.source.nodes(ast.Call):
            function = self.source.function(call)
            name = self.values.mapping(call)[0].get("name") if self._kind(call) else None
            if isinstance(function, FUNCTIONS) and isinstance(name, ast.Name):
                arguments = function.args
                if name.id in {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}:
                    found[function] = name.id
        return found

    def _called_later(self, partial: ast.Call) -> bool:
        """`make = partial(CircuitBreaker, ...)` whose calls are judged themselves."""
        assign = self.source.parents.get(partial)
        targets = assign.targets if isinstance(assign, ast.Assign) else []
        return any(last_name(t) in self.source.calls_by_name for t in targets)

    def _in_loop(self, call: ast.Call) -> bool:
        for parent in self.source.ancestors(call):
            if isinstance(parent, (*FUNCTIONS, ast.ClassDef)):
                return False
            if isinstance(parent, (*LOOPS, *COMPREHENSIONS)):
                return True
        return False

    def _kind(self, call: ast.Call) -> str:
        name = self.resolver.name(call.func)
        if name in KINDS:
            return name
        if last_name(call.func) == "partial" and call.args:
            name = self.resolver.name(call.args[0])
            return name if name in KINDS else ""
        for made in self.resolver.made_by(call.func) if isinstance(call.func, ast.Name) else ():
            if last_name(made.func) == "partial" and made.args and self.resolver.name(made.args[0]) in KINDS:
                return "" if "name" in self.values.mapping(made)[0] else self.resolver.name(made.args[0])
        owner = None
        if (
            last_name(call.func) == "__init__"
            and isinstance(call.func, ast.Attribute)
            and last_name(call.func.value) == "super"
        ):
            owner = self.source.owner(call)
        elif name.startswith("<here>."):
            bindings = self.source.module.names.get(name.partition(".")[2], ())
            owner = next((b.node for b in bindings if isinstance(b.node, ast.ClassDef)), None)
            lineage = self.resolver.lineage(self.source.scopes[owner]) if owner is not None else ()
            if any("__init__" in scope.names for scope in lineage):
                return ""  # its own `__init__` names it, or is found to leave it out
        return next((b for b in self.resolver.bases(owner) if b in KINDS), "") if owner is not None else ""
