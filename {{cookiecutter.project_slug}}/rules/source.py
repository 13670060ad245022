"""A parsed file: one traversal notes every node by type, its parent, its scope, and what each name is bound to."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from .binding import COMPREHENSIONS, FUNCTIONS, Binding, Function, Kind, Scope

N = TypeVar("N", bound=ast.AST)
CLOSED = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef})
SKIPPED = frozenset(
    kind
    for family in (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
    for kind in family.__subclasses__()
)


class Source:
    """One file. `shown` is the path for findings, `parts` the path's folders and name for roles."""

    def __init__(
        self, path: Path, shown: str, text: str, parts: tuple[str, ...], in_tests: bool, tree: ast.Module
    ) -> None:
        self.path = path
        self.shown = shown
        self.text = text
        self.parts = parts
        self.in_tests = in_tests
        self.tree = tree
        self.parents: dict[ast.AST, ast.AST] = {}
        self.by_type: dict[type[ast.AST], list[ast.AST]] = {}
        self.scopes: dict[ast.AST, Scope] = {}
        self._scope_of: dict[ast.AST, Scope] = {}
        self._local: dict[ast.AST, list[ast.AST]] = {}
        self.calls_by_name: dict[str, list[ast.Call]] = {}
        self.calls_by_argument: dict[str, list[ast.Call]] = {}
        self.stars: list[str] = []
        self.module = Scope(self.tree, None)
        self.scopes[self.tree] = self.module
        self._traverse()

    def nodes(self, *kinds: type[N]) -> Iterator[N]:
        """All nodes of these types, in the order of the traversal."""
        for kind in kinds:
            for node in self.by_type.get(kind, ()):
                if isinstance(node, kind):
                    yield node

    @property
    def has_classes(self) -> bool:
        """Whether the file defines a class at all."""
        return ast.ClassDef in self.by_type

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The parents of a node, from the inside out."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def scope(self, node: ast.AST) -> Scope:
        """The scope in which the names of `node` are looked up."""
        return self._scope_of.get(node, self.module)

    def function(self, node: ast.AST) -> Function | ast.Lambda | None:
        """The function that a node runs in; its own decorators and defaults run outside."""
        scope: Scope | None = self.scope(node)
        while scope is not None and isinstance(scope.node, COMPREHENSIONS):
            scope = scope.outer
        if scope is not None and isinstance(scope.node, (*FUNCTIONS, ast.Lambda)):
            return scope.node
        return None

    def owner(self, node: ast.AST) -> ast.ClassDef | None:
        """The innermost class around a node."""
        holder = self.scope(node).holder()
        return holder.node if holder is not None and isinstance(holder.node, ast.ClassDef) else None

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The statement that a node is part of, or is."""
        if isinstance(node, ast.stmt):
            return node
        return next((a for a in self.ancestors(node) if isinstance(a, ast.stmt)), None)

    def local(self, root: ast.AST) -> list[ast.AST]:
        """All nodes below `root` that run when it runs: functions and classes nested in it stay closed."""
        known = self._local.get(root)
        if known is None:
            known = self._local[root] = []
            todo = _children(root)[::-1]
            while todo:
                node = todo.pop()
                known.append(node)
                if type(node) not in CLOSED:
                    todo.extend(_children(node)[::-1])
        return known

    def _traverse(self) -> None:
        """The one walk over the file; it is most of the checker's time, hence the plain loops."""
        by_type, parents, scope_of = self.by_type, self.parents, self._scope_of
        todo: list[tuple[ast.AST, Scope]] = [(self.tree, self.module)]
        while todo:
            node, scope = todo.pop()
            kind = type(node)
            if kind in by_type:
                by_type[kind].append(node)
            else:
                by_type[kind] = [node]
            scope_of[node] = scope
            noter = _NOTERS.get(kind)
            inner = noter(self, node, scope) if noter is not None else scope
            children = _children(node)
            children.reverse()
            closed = kind in CLOSED and kind is not ast.Lambda
            for child in children:
                parents[child] = node
                # decorators, defaults, bases and annotations are looked up outside
                todo.append((child, inner if not closed or isinstance(child, ast.stmt) else scope))

    def _enter(self, node: ast.AST, scope: Scope) -> Scope:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            scope.bind(node.name, Binding("class" if isinstance(node, ast.ClassDef) else "function", node))
        if isinstance(node, (*FUNCTIONS, ast.Lambda, ast.ClassDef, *COMPREHENSIONS)):
            scope = self.scopes[node] = Scope(node, scope)
            if isinstance(node, (*FUNCTIONS, ast.Lambda)):
                _parameters(node.args, scope)
                if not isinstance(node, ast.Lambda):
                    _declared(node, scope)
        return scope

    def _import(self, node: ast.AST, scope: Scope) -> Scope:
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                scope.bind(name, Binding("import", node, dotted=alias.name if alias.asname else name))
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for alias in node.names:
                if alias.name == "*":
                    self.stars.append(module)
                else:
                    dotted = module + alias.name if module.endswith(".") else f"{module}.{alias.name}"
                    scope.bind(alias.asname or alias.name, Binding("import", node, dotted=dotted))
        return scope

    def _assign(self, node: ast.AST, scope: Scope) -> Scope:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                _bind_target(scope, target, node, node.value)
        elif isinstance(node, ast.AnnAssign):
            _bind_target(scope, node.target, node, node.value, node.annotation)
        elif isinstance(node, ast.NamedExpr):
            where = scope
            while where.outer is not None and isinstance(where.node, COMPREHENSIONS):
                where = where.outer
            _bind_target(where, node.target, node, node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            scope.bind(node.target.id, Binding("grown", node, node.value))
        return scope

    def _loop(self, node: ast.AST, scope: Scope) -> Scope:
        if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            _bind_target(scope, node.target, node, node.iter, kind="loop")
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            _bind_target(scope, node.optional_vars, node.context_expr, node.context_expr, kind="with")
        elif isinstance(node, ast.ExceptHandler) and node.name:
            scope.bind(node.name, Binding("other", node))
        return scope

    def _call(self, node: ast.AST, scope: Scope) -> Scope:
        if isinstance(node, ast.Call):
            name = last_name(node.func)
            if name:
                self.calls_by_name.setdefault(name, []).append(node)
            for argument in (*node.args, *(k.value for k in node.keywords)):
                named = last_name(argument) if isinstance(argument, (ast.Name, ast.Attribute)) else ""
                if named:
                    self.calls_by_argument.setdefault(named, []).append(node)
        return scope


_NOTERS = {
    **dict.fromkeys((*FUNCTIONS, ast.Lambda, ast.ClassDef, *COMPREHENSIONS), Source._enter),
    **dict.fromkeys((ast.Import, ast.ImportFrom), Source._import),
    **dict.fromkeys((ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign), Source._assign),
    **dict.fromkeys((ast.For, ast.AsyncFor, ast.comprehension, ast.withitem, ast.ExceptHandler), Source._loop),
    ast.Call: Source._call,
}


def quoted(text: str) -> ast.expr | None:
    """The expression in a quoted annotation; None when it is just a text."""
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def last_name(node: ast.AST | None) -> str:
    """The last name of `a.b.c` (c), of a plain name, and of a call of either; else nothing."""
    while isinstance(node, (ast.Call, ast.Await)):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def keyword(call: ast.Call, *names: str) -> ast.expr | None:
    """The value of the first keyword argument with one of these names."""
    return next((k.value for k in call.keywords if k.arg in names), None)


def _children(node: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            for item in value:
                if isinstance(item, ast.AST) and type(item) not in SKIPPED:
                    found.append(item)
        elif isinstance(value, ast.AST) and type(value) not in SKIPPED:
            found.append(value)
    return found


def _parameters(arguments: ast.arguments, scope: Scope) -> None:
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [*[None] * (len(plain) - len(arguments.defaults)), *arguments.defaults]
    for parameter, default in [
        *zip(plain, defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]:
        scope.bind(parameter.arg, Binding("parameter", parameter, default, parameter.annotation))
    for rest in (arguments.vararg, arguments.kwarg):
        if rest is not None:
            scope.bind(rest.arg, Binding("other", rest))


def _declared(function: Function, scope: Scope) -> None:
    todo: list[ast.stmt] = list(function.body)
    for statement in todo:
        if isinstance(statement, ast.Global):
            scope.foreign.update(dict.fromkeys(statement.names, "global"))
        elif isinstance(statement, ast.Nonlocal):
            scope.foreign.update(dict.fromkeys(statement.names, "nonlocal"))


def _bind_target(
    scope: Scope,
    target: ast.expr,
    node: ast.AST,
    value: ast.expr | None,
    annotation: ast.expr | None = None,
    kind: Kind = "value",
    position: int | None = None,
) -> None:
    if kind == "value" and position is not None:
        kind = "unpacked"
    binding = Binding(kind, node, value, annotation, position=position)
    if isinstance(target, ast.Name):
        scope.bind(target.id, binding)
    elif (
        isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id in ("self", "cls")
    ):
        holder = scope.holder()
        if holder is not None:
            holder.attributes.setdefault(target.attr, []).append(binding)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for index, element in enumerate(target.elts):
            _bind_target(scope, element, node, value, kind=kind, position=index)
    elif isinstance(target, ast.Starred):
        _bind_target(scope, target.value, node, None, kind="other")
