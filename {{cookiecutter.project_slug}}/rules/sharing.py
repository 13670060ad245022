"""Clients, breakers and bulkheads that two external systems share."""

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from .binding import COMPREHENSIONS, FUNCTIONS
from .flow import find_scope, reaching
from .resolver import Resolver
from .source import Source
from .syntax import dotted, last_name
from .values import Values

SHARED_NAME = re.compile(
    r"^_*(((http|https|httpx|async|rest|http_async|shared|api|common)_?)*(client|session)|http|breaker|circuit_?breaker|bulkhead|sem(aphore)?|limiter|gate|guard|transport|pool)s?$",
    re.IGNORECASE,
)
SHARED_KINDS = re.compile(
    r"(AsyncClient|httpx\.Client|CircuitBreaker|Semaphore|CapacityLimiter|Guard|ClientSession|Bulkhead|Transport|requests\.Session)$"
)
ADAPTER = re.compile(r"^(?P<system>\w+?)(Http|Rest)?(Adapter|Gateway|Client|Facade|Api|Connector)$")
NO_SYSTEM = ("Async", "Http", "AsyncHttp", "Base", "Rest", "Mock", "Fake", "Test")
NO_FOLDER = ("db", "database", "persistence", "repositories", "common", "shared", "http", "base")
OTHERS = re.compile(r"(Error|Exception|Settings|Config|Dto|DTO|Model|Request|Response|Mapper|Repository|Enum|Status)$")
ADDRESS = re.compile(r"(base_url|url|host|address|endpoint)$")
ONCE = {"cache", "lru_cache", "cached_property", "singleton", "inject"}


class Sharing:
    """Answers about one source."""

    def __init__(self, source: Source, resolver: Resolver, values: Values) -> None:
        self.source = source
        self.resolver = resolver
        self.values = values

    @cached_property
    def found(self) -> list[ast.AST]:
        """Adapters that are given one object, those that use one of the module, and a client that is sent to two systems."""
        return [*self._given(), *self._used(), *self._sent_to_two()]

    def _sent_to_two(self) -> Iterator[ast.AST]:
        """`self._http.get(f"{self._crm.base_url}/x")`, and then with the address of another system."""
        first: dict[tuple[ast.AST | None, str], str] = {}
        for call in sorted(self.source.nodes(ast.Call), key=lambda c: (c.lineno, c.col_offset)):
            text = call.args[0] if call.args and isinstance(call.args[0], ast.JoinedStr) else None
            part = text.values[0] if text is not None and text.values else None
            address = part.value if isinstance(part, ast.FormattedValue) else None
            if (
                not isinstance(address, ast.Attribute)
                or not isinstance(call.func, ast.Attribute)
                or not ADDRESS.search(address.attr)
            ):
                continue
            client, system = dotted(call.func.value), dotted(address.value)
            if client and system and address.value is not call.func.value:
                known = first.setdefault((self.source.owner(call), client), system)
                if known != system:
                    yield call

    def _given(self) -> Iterator[ast.AST]:
        first: dict[object, str] = {}
        for call in self.source.nodes(ast.Call):
            systems = self._systems(call)
            if not systems:
                continue
            things = [t for argument, name in self._arguments(call) for t in [self._shared(argument, name, call)] if t]
            for thing, argument in things:
                several = len(set(systems)) > 1
                if several and self._made_in_loop(argument, call):
                    continue
                known = first.setdefault(thing, systems[0])
                if known != systems[0] or several:
                    yield call
                    break

    def _used(self) -> Iterator[ast.AST]:
        """A breaker or semaphore of the module, used by the methods of two adapters."""
        shared = {
            name
            for name, bindings in self.source.module.names.items()
            if any(b.kind == "value" and SHARED_KINDS.search(self.resolver.kind_of_binding(b)) for b in bindings)
        }
        first: dict[object, str] = {}
        for name in self.source.nodes(ast.Name) if shared else ():
            owner = self.source.owner(name) if name.id in shared and isinstance(name.ctx, ast.Load) else None
            match = ADAPTER.match(owner.name) if owner is not None else None
            if match is None or match["system"] in NO_SYSTEM:
                continue
            if find_scope(self.source, name.id, name) is not self.source.module:
                continue
            known = first.setdefault(name.id, match["system"])
            if known != match["system"] and (known, name.id) not in first:
                first[(known, name.id)] = known
                yield name

    def _arguments(self, call: ast.Call) -> Iterator[tuple[ast.expr, str]]:
        given = call.args[1:] if last_name(call.func) == "partial" else call.args
        yield from ((a, "") for a in given)
        yield from ((k.value, k.arg or "**") for k in call.keywords)

    def _made_in_loop(self, argument: ast.expr, call: ast.Call) -> bool:
        """Whether each round of the loop has an object of its own."""
        if isinstance(argument, ast.Call):
            return not self._made_once(argument)
        loop = next(
            (a for a in self.source.ancestors(call) if isinstance(a, (ast.For, ast.AsyncFor, *COMPREHENSIONS))), None
        )
        bindings = reaching(self.source, argument.id, argument) if isinstance(argument, ast.Name) else []
        return loop is not None and any(
            a is loop for b in bindings[:1] for a in (b.node, *self.source.ancestors(b.node))
        )

    def _systems(self, call: ast.Call) -> list[str]:
        target = call.args[0] if last_name(call.func) == "partial" and call.args else call.func
        names = [self.resolver.name(target) or last_name(target)]
        bindings = reaching(self.source, target.id, target) if isinstance(target, ast.Name) else []
        if bindings and bindings[0].kind == "loop":
            names = [self.resolver.name(e) for e in self._classes(bindings[0].value)]
        return [s for s in map(self._system, names) if s and s not in NO_SYSTEM]

    def _system(self, name: str) -> str:
        """The system of a class: the folder of its adapter where its import shows one, else by its name."""
        path, _, last = name.rpartition(".")
        folders = path.split(".")
        if last[:1].isupper() and "outbound" in folders[:-1]:
            folder = folders[folders.index("outbound") + 1]
            if folder not in NO_FOLDER and not OTHERS.search(last):
                return folder
        match = ADAPTER.match(last)
        return match["system"] if match else ""

    def _classes(self, items: ast.expr | None, depth: int = 0) -> list[ast.expr]:
        """The classes that a loop goes over: of a tuple, a list, the values of a mapping, and names for them."""
        if items is None or depth > 4:
            return []
        if isinstance(items, (ast.Tuple, ast.List, ast.Set)):
            return [inner for e in items.elts for inner in (e.elts if isinstance(e, ast.Tuple) else [e])]
        if isinstance(items, ast.Dict):
            return items.values
        if isinstance(items, ast.Call):
            box = items.func.value if isinstance(items.func, ast.Attribute) else (items.args[0] if items.args else None)
            return self._classes(box, depth + 1)
        bindings = reaching(self.source, items.id, items) if isinstance(items, ast.Name) else []
        if isinstance(items, ast.Attribute):
            bindings = self.resolver.attribute(items)
        return [c for b in bindings[:1] if b.kind == "value" for c in self._classes(b.value, depth + 1)]

    def _shared(
        self, argument: ast.expr, keyword: str, call: ast.Call, depth: int = 0
    ) -> tuple[object, ast.expr] | None:
        """What identifies the object: the binding of its name, or the attribute of its class."""
        if depth > 4:
            return None
        likely = self._likely(argument, keyword)
        if isinstance(argument, ast.Name):
            bindings = reaching(self.source, argument.id, argument)
            alias = bindings[0].value if bindings and bindings[0].kind == "value" else None
            if isinstance(alias, (ast.Name, ast.Attribute)):
                return self._shared(alias, keyword or argument.id, call, depth + 1)
            if keyword == "**":
                return (bindings[0], argument) if bindings and self._holds_shared(alias) else None
            if not likely:
                return None
            return bindings[0] if bindings else (find_scope(self.source, argument.id, argument), argument.id), argument
        if isinstance(argument, ast.Subscript):
            keys = self.values.texts(argument.slice)
            return ((dotted(argument.value), keys[0]), argument) if keys and SHARED_NAME.match(keys[0]) else None
        if isinstance(argument, ast.Attribute) and dotted(argument) and likely:
            return (self.source.owner(argument), dotted(argument)), argument
        if isinstance(argument, ast.Call) and self._made_once(argument) and likely:
            return (self.resolver.name(argument.func), ast.dump(argument)), argument
        return None

    def _likely(self, argument: ast.expr, keyword: str) -> bool:
        named = SHARED_NAME.match(keyword) or SHARED_NAME.match(last_name(argument).removeprefix("get_"))
        if named or SHARED_KINDS.search(self.resolver.kind(argument)):
            return True
        function = self.resolver.function_of(argument.func) if isinstance(argument, ast.Call) else None
        returned = [n.value for n in self.source.local(function) if isinstance(n, ast.Return)] if function else []
        return any(SHARED_KINDS.search(self.resolver.kind(r)) for r in returned)

    def _holds_shared(self, mapping: ast.expr | None) -> bool:
        if not isinstance(mapping, ast.Dict):
            return False
        return any(
            SHARED_NAME.match(k.value) is not None
            for k in mapping.keys
            if isinstance(k, ast.Constant) and isinstance(k.value, str)
        )

    def _made_once(self, call: ast.Call) -> bool:
        """Whether every call of a maker gives the same object: it is cached, or returns a name of the module."""
        function = self.resolver.function_of(call.func)
        there = self.resolver.foreign(call.func) if function is None else None
        if there is not None and isinstance(there.function, FUNCTIONS):
            return any(last_name(d) in ONCE for d in there.function.decorator_list)
        if not isinstance(function, FUNCTIONS):
            return False
        if any(last_name(d) in ONCE for d in function.decorator_list):
            return True
        returned = [n.value for n in self.source.local(function) if isinstance(n, ast.Return)]
        return bool(returned) and all(
            isinstance(r, ast.Name) and find_scope(self.source, r.id, r) is self.source.module for r in returned
        )
