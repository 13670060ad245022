"""What bounds a call in time: a deadline around it, around the function that it is in, or a guard that brings one."""

import ast
import re

from .binding import CALLABLES, FUNCTIONS
from .flow import reaching
from .resolver import Resolver
from .source import Source
from .syntax import keyword, last_name
from .values import Values

CONTEXTS = {
    "asyncio.timeout",
    "asyncio.timeout_at",
    "anyio.fail_after",
    "anyio.move_on_after",
    "trio.fail_after",
    "trio.move_on_after",
    "async_timeout.timeout",
    "async_timeout.timeout_at",
}
WAITS = {"asyncio.wait_for", "asyncio.wait"}
CONTEXT_NAME = re.compile(r"(deadline|time_?out|fail_after|move_on_after|budget|time_?limit)", re.IGNORECASE)
GUARD_NAME = re.compile(r"(guard|protect|deadline|time_?out|resilien|budget)", re.IGNORECASE)
GUARDED_BY = re.compile(r"(guard|protect|deadline|time_?out|resilien|budget|^read$|^probe$|write$)", re.IGNORECASE)


class Deadlines:
    """Answers about one source."""

    def __init__(self, source: Source, resolver: Resolver, values: Values) -> None:
        self.source = source
        self.resolver = resolver
        self.values = values
        self._bounded: dict[ast.AST, bool] = {}

    def bounds(self, node: ast.AST) -> bool:
        """Whether a node runs under a deadline."""
        child = node
        for parent in self.source.ancestors(node):
            if self._is_around(parent, child):
                return True
            if isinstance(parent, ast.Assign) and isinstance(child, ast.Call) and self._awaited_in_time(parent):
                return True
            if isinstance(parent, CALLABLES):
                return self._entered(parent, node) or self._function(parent)
            child = parent
        return False

    def _is_around(self, parent: ast.AST, child: ast.AST) -> bool:
        """Whether a parent is a deadline, and its child is under it."""
        if isinstance(parent, (ast.With, ast.AsyncWith)):
            return self._opens_before(parent, child)
        return isinstance(parent, ast.Call) and child is not parent.func and self._bounds_arguments(parent)

    def _awaited_in_time(self, assign: ast.Assign) -> bool:
        """`task = create_task(call)`, and later `await wait_for(task, limit)`."""
        names = {t.id for t in assign.targets if isinstance(t, ast.Name)}
        function = self.source.function(assign)
        uses = [
            n
            for n in (self.source.local(function) if function is not None and names else ())
            if isinstance(n, ast.Name) and n.id in names and isinstance(n.ctx, ast.Load)
        ]
        return any(self._within(n) for n in uses)

    def is_context(self, node: ast.expr) -> bool:
        """Whether a `with` item is a deadline; one of None is none."""
        if not isinstance(node, ast.Call):
            made = self.resolver.made_by(node)
            return any(map(self.is_context, made)) if made else bool(CONTEXT_NAME.search(last_name(node)))
        name = self.resolver.name(node.func)
        if name in CONTEXTS:
            length = node.args[0] if node.args else keyword(node, "delay", "when", "deadline", "timeout")
            return length is not None and not self.values.is_none(length)
        if CONTEXT_NAME.search(last_name(node.func)) or GUARD_NAME.search(last_name(node.func)):
            return True
        function = self.resolver.function_of(node.func)
        if function is not None:
            return self._yields_within(function)
        there = self.resolver.foreign(node.func)
        return there is not None and there.view.deadlines._yields_within(there.function)

    def _yields_within(self, function: ast.AST) -> bool:
        """Whether a context manager yields inside a deadline, or a function makes one."""
        inner = self.source.local(function)
        yields = [n for n in inner if isinstance(n, ast.Yield)]
        returned = [n.value for n in inner if isinstance(n, ast.Return) and n.value is not None]
        return any(self._within(y) for y in yields) or any(
            isinstance(r, ast.Call) and self.is_context(r) for r in returned
        )

    def _within(self, node: ast.AST) -> bool:
        """Whether a `with` around a node, in its function, is a deadline."""
        child = node
        for parent in self.source.ancestors(node):
            if self._is_around(parent, child):
                return True
            if isinstance(parent, CALLABLES):
                return False
            child = parent
        return False

    def bounds_what_it_wraps(self, function: ast.AST) -> bool:
        """Whether a decorator puts a deadline around the function that it is given."""
        arguments = function.args if isinstance(function, CALLABLES) else None
        given = {a.arg for a in (*arguments.posonlyargs, *arguments.args)} if arguments is not None else set()
        for call in (n for n in ast.walk(function) if isinstance(n, ast.Call)):
            if (
                isinstance(call.func, ast.Name)
                and (call.func.id in given or self._is_given(call.func))
                and self._within(call)
            ):
                return True
        return False

    def _is_given(self, name: ast.Name) -> bool:
        return any(b.kind == "parameter" for b in reaching(self.source, name.id, name))

    def _decorated(self, decorator: ast.expr) -> bool:
        if GUARDED_BY.search(last_name(decorator)):
            return True
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        function = self.resolver.function_of(named)
        if function is not None:
            return self.bounds_what_it_wraps(function)
        there = self.resolver.foreign(named)
        return there is not None and there.view.deadlines.bounds_what_it_wraps(there.function)

    def _opens_before(self, block: ast.With | ast.AsyncWith, child: ast.AST) -> bool:
        for item in block.items:
            if item is child:
                return False
            if self.is_context(item.context_expr):
                return True
        return False

    def _bounds_arguments(self, call: ast.Call) -> bool:
        name = self.resolver.name(call.func)
        if name in WAITS:
            length = call.args[1] if len(call.args) > 1 else keyword(call, "timeout")
            return length is not None and not self.values.is_none(length)
        if last_name(call.func) == "enter_async_context":
            return False
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        if GUARD_NAME.search(last_name(call.func)) or (receiver is not None and GUARD_NAME.search(last_name(receiver))):
            return True
        function = self.resolver.function_of(call.func)
        if function is not None:
            return self.bounds_what_it_wraps(function) and isinstance(function, FUNCTIONS)
        there = self.resolver.foreign(call.func)
        return there is not None and there.view.deadlines.bounds_what_it_wraps(there.function)

    def _entered(self, function: ast.AST, node: ast.AST) -> bool:
        """Whether an earlier statement of the function entered a deadline on an exit stack."""
        line = getattr(node, "lineno", 0)
        return any(
            last_name(call.func) in ("enter_async_context", "enter_context")
            and call.lineno < line
            and any(self.is_context(a) for a in call.args)
            for call in self.resolver.calls_in(function)
        )

    def _function(self, function: ast.AST) -> bool:
        known = self._bounded.get(function)
        if known is None:
            self._bounded[function] = False
            known = self._bounded[function] = self._find(function)
        return known

    def _find(self, function: ast.AST) -> bool:
        if isinstance(function, FUNCTIONS):
            if any(self._decorated(d) for d in function.decorator_list):
                return True
            nested = self.source.function(function) is not None
            if not nested and not function.name.startswith("_"):
                return False
            if function.name.startswith("__"):
                return False
        elif not isinstance(function, ast.Lambda):
            return False
        uses: list[ast.AST] = [*self.resolver.callers(function)]
        if isinstance(function, ast.Lambda):
            return any(self._bounds_arguments(c) or self.bounds(c) for c in self.resolver.given_to(function))
        given = list(self.resolver.given_to(function))
        if not uses and not given:
            return False
        return all(self.bounds(u) for u in uses) and all(self._bounds_arguments(c) or self.bounds(c) for c in given)
