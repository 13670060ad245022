"""The one walk over a file: what it notes on the way, for `Source` to answer from."""

import ast
from collections.abc import Callable
from typing import TypeAlias

from .binding import COMPREHENSIONS, FUNCTIONS, Binding, Function, Kind, Scope
from .syntax import children, last_name

CLOSED = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef})
CHANGES = {"append", "extend", "insert", "update", "setdefault", "add", "appendleft"}


class Traversal:
    """Every node by type, its parent, its scope; what names are bound to; calls by name; and what is changed later."""

    def __init__(self, tree: ast.Module) -> None:
        self.parents: dict[ast.AST, ast.AST] = {}
        self.by_type: dict[type[ast.AST], list[ast.AST]] = {}
        self.scope_of: dict[ast.AST, Scope] = {}
        self.module = Scope(tree, None)
        self.scopes: dict[ast.AST, Scope] = {tree: self.module}
        self.calls_by_name: dict[str, list[ast.Call]] = {}
        self.calls_by_argument: dict[str, list[ast.Call]] = {}
        self.changes: dict[str, list[ast.Call | ast.Assign]] = {}  # `x.append(1)`, `x["a"] = 1`
        self.stars: list[str] = []
        self._walk(tree)

    def _walk(self, tree: ast.Module) -> None:
        """It is most of the checker's time, hence the plain loops, and no turn of its own for a name or a constant."""
        by_type, parents, scope_of = self.by_type, self.parents, self.scope_of
        names: list[ast.AST] = by_type.setdefault(ast.Name, [])
        constants: list[ast.AST] = by_type.setdefault(ast.Constant, [])
        todo: list[tuple[ast.AST, Scope]] = [(tree, self.module)]
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
            closed = kind in CLOSED and kind is not ast.Lambda
            below = children(node)
            below.reverse()
            for child in below:
                parents[child] = node
                # decorators, defaults, bases and annotations are looked up outside
                seen_from = inner if not closed or isinstance(child, ast.stmt) else scope
                leaf = type(child)
                if leaf is ast.Name:
                    names.append(child)
                    scope_of[child] = seen_from
                elif leaf is ast.Constant:
                    constants.append(child)
                    scope_of[child] = seen_from
                else:
                    todo.append((child, seen_from))

    def enter(self, node: ast.AST, scope: Scope) -> Scope:
        """A function, class or comprehension opens a scope."""
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            scope.bind(node.name, Binding("class" if isinstance(node, ast.ClassDef) else "function", node))
        if isinstance(node, (*FUNCTIONS, ast.Lambda, ast.ClassDef, *COMPREHENSIONS)):
            scope = self.scopes[node] = Scope(node, scope)
            if isinstance(node, (*FUNCTIONS, ast.Lambda)):
                _parameters(node.args, scope)
                if not isinstance(node, ast.Lambda):
                    _declared(node, scope)
        return scope

    def imported(self, node: ast.AST, scope: Scope) -> Scope:
        """An import binds names; `import *` is kept apart."""
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

    def assigned(self, node: ast.AST, scope: Scope) -> Scope:
        """An assignment of any kind."""
        if isinstance(node, ast.Assign):
            for target in node.targets:
                _bind_target(scope, target, node, node.value)
                if isinstance(target, ast.Subscript):
                    self.changes.setdefault(last_name(target.value), []).append(node)
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

    def looped(self, node: ast.AST, scope: Scope) -> Scope:
        """What loops, `with` and handlers bind."""
        if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            _bind_target(scope, node.target, node, node.iter, kind="loop")
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            _bind_target(scope, node.optional_vars, node.context_expr, node.context_expr, kind="with")
        elif isinstance(node, ast.ExceptHandler) and node.name:
            scope.bind(node.name, Binding("other", node))
        return scope

    def called(self, node: ast.AST, scope: Scope) -> Scope:
        """A call, by its name and by what it is given."""
        if isinstance(node, ast.Call):
            name = last_name(node.func)
            if name:
                self.calls_by_name.setdefault(name, []).append(node)
            if name in CHANGES and isinstance(node.func, ast.Attribute):
                self.changes.setdefault(last_name(node.func.value), []).append(node)
            for argument in (*node.args, *(k.value for k in node.keywords)):
                named = last_name(argument) if isinstance(argument, (ast.Name, ast.Attribute)) else ""
                if named:
                    self.calls_by_argument.setdefault(named, []).append(node)
        return scope


Noter: TypeAlias = Callable[[Traversal, ast.AST, Scope], Scope]
_NOTERS: dict[type[ast.AST], Noter] = {
    **dict.fromkeys((*FUNCTIONS, ast.Lambda, ast.ClassDef, *COMPREHENSIONS), Traversal.enter),
    **dict.fromkeys((ast.Import, ast.ImportFrom), Traversal.imported),
    **dict.fromkeys((ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign), Traversal.assigned),
    **dict.fromkeys((ast.For, ast.AsyncFor, ast.comprehension, ast.withitem, ast.ExceptHandler), Traversal.looped),
    ast.Call: Traversal.called,
}


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
