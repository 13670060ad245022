"""Simple control flow: which bindings of a name can be the one that a use sees."""

import ast

from .binding import COMPREHENSIONS, LOOPS, Binding, Scope
from .source import Source

BLOCKS = ("body", "orelse", "finalbody", "handlers")


def find_scope(source: Source, name: str, at: ast.AST) -> Scope | None:
    """The scope that `name` belongs to when it is read at `at`; class scopes are closed to what is nested in them."""
    start = scope = source.scope(at)
    while True:
        if name in scope.names and (scope is start or not isinstance(scope.node, ast.ClassDef)):
            return scope
        if scope.outer is None:
            return None
        scope = scope.outer


def reaching(source: Source, name: str, at: ast.AST) -> list[Binding]:
    """The bindings of `name` that a use at `at` can see, nearest first."""
    scope = find_scope(source, name, at)
    if scope is None:
        return []
    bindings = scope.names[name]
    if len(bindings) == 1 or not _runs_in(source, at, scope):
        return list(reversed(bindings))
    return _walk_back(source, at, scope, bindings) or list(reversed(bindings))


def _runs_in(source: Source, at: ast.AST, scope: Scope) -> bool:
    where: Scope | None = source.scope(at)
    while where is not None and where is not scope and isinstance(where.node, COMPREHENSIONS):
        where = where.outer
    return where is scope


def _walk_back(source: Source, at: ast.AST, scope: Scope, bindings: list[Binding]) -> list[Binding]:
    seen: list[Binding] = []
    child: ast.AST = at
    for parent in source.ancestors(at):
        inside_value = isinstance(child, ast.expr) and isinstance(parent, (ast.Assign, ast.AnnAssign, ast.AugAssign))
        if not inside_value:
            own = [b for b in bindings if b.node is parent or (b.kind == "with" and _is_item(parent, b, child))]
            if own and isinstance(child, ast.stmt):
                seen.extend(own)
                if any(b.kind in ("loop", "with") for b in own):
                    return seen
        if _earlier(parent, child, bindings, seen):
            return seen
        if isinstance(parent, LOOPS) and isinstance(child, ast.stmt):
            seen.extend(b for b in bindings if _within(parent, b) and b not in seen)
        if parent is scope.node:
            break
        child = parent
    seen.extend(b for b in bindings if b.kind == "parameter")
    return seen


def _earlier(parent: ast.AST, child: ast.AST, bindings: list[Binding], seen: list[Binding]) -> bool:
    """Collect from the statements before `child`; true when one of them binds for certain."""
    for block in BLOCKS:
        statements = getattr(parent, block, None)
        if not isinstance(statements, list) or not any(s is child for s in statements):
            continue
        if block == "handlers":
            return False
        index = next(i for i, s in enumerate(statements) if s is child)
        for statement in reversed(statements[:index]):
            inside = [b for b in bindings if b not in seen and _within(statement, b)]
            seen.extend(reversed(inside))
            if inside and _certain(statement, inside):
                return True
    return False


def _certain(statement: ast.AST, inside: list[Binding]) -> bool:
    if any(b.node is statement and b.kind != "grown" for b in inside) and not isinstance(statement, LOOPS):
        return True
    if isinstance(statement, ast.If):
        return _block(statement.body, inside) and _block(statement.orelse, inside)
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return _block(statement.body, inside) or any(b.kind == "with" for b in inside)
    if isinstance(statement, ast.Expr):
        return any(isinstance(b.node, ast.NamedExpr) for b in inside)
    return False


def _block(statements: list[ast.stmt], inside: list[Binding]) -> bool:
    return any(_certain(s, [b for b in inside if _within(s, b)]) for s in statements) or bool(
        statements and isinstance(statements[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))
    )


def _is_item(parent: ast.AST, binding: Binding, child: ast.AST) -> bool:
    return isinstance(parent, (ast.With, ast.AsyncWith)) and any(
        item.context_expr is binding.node and item is not child for item in parent.items
    )


def _within(node: ast.AST, binding: Binding) -> bool:
    start = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    end = (getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0))
    return start <= binding.at < end
