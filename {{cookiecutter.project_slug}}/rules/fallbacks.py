"""Values that take the place of a result where an error was caught."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .binding import Function
from .source import Source
from .syntax import last_name


@dataclass(frozen=True, slots=True)
class Fallback:
    """A value returned or assigned after an error; `caught` lists the errors, `target` the name assigned."""

    node: ast.stmt
    value: ast.expr | None
    caught: str
    returns: bool
    target: str = ""
    instead: bool = True  # False: what follows a `try` that gave no result of its own


def fallbacks(source: Source, function: Function) -> Iterator[Fallback]:
    """The fallbacks of a function: in handlers, after handlers that pass, and after `suppress`."""
    for node in source.local(function):
        if isinstance(node, ast.Try):
            for handler in node.handlers:
                yield from _in_handler(source, handler)
            passing = [h for h in node.handlers if not _leaves(h.body) and not _assigns(h.body)]
            if passing:
                caught = ",".join(_errors(h.type) for h in passing)
                yield from _after(source, node, caught, instead=_returns_result(node.body))
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                call = item.context_expr
                if isinstance(call, ast.Call) and last_name(call.func) == "suppress":
                    yield from _after(source, node, ",".join(last_name(a) for a in call.args), instead=True)


def _in_handler(source: Source, handler: ast.ExceptHandler) -> Iterator[Fallback]:
    caught = _errors(handler.type)
    for node in source.local(handler):
        if isinstance(node, ast.Return):
            yield Fallback(node, node.value, caught, returns=True)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            yield Fallback(node, node.value, caught, returns=False, target=node.targets[0].id)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield Fallback(node, node.value, caught, returns=False, target=node.target.id)


def _after(source: Source, node: ast.stmt, caught: str, instead: bool) -> Iterator[Fallback]:
    """The return that follows a statement whose errors pass by."""
    parent = source.parents.get(node)
    body = getattr(parent, "body", [])
    if not isinstance(body, list) or node not in body:
        return
    for statement in body[body.index(node) + 1 :]:
        if isinstance(statement, ast.Return):
            alone = all(isinstance(s, (ast.Assign, ast.AnnAssign, ast.Expr)) for s in body[: body.index(node)])
            if instead or alone:
                yield Fallback(statement, statement.value, caught, returns=True, instead=instead)
            return
        if not isinstance(statement, ast.Expr):
            return


def _errors(node: ast.expr | None) -> str:
    if node is None:
        return "BaseException"
    if isinstance(node, ast.Tuple):
        return ",".join(last_name(e) for e in node.elts)
    return last_name(node)


def _leaves(body: list[ast.stmt]) -> bool:
    return isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


def _assigns(body: list[ast.stmt]) -> bool:
    return any(isinstance(s, (ast.Assign, ast.AnnAssign, ast.AugAssign)) for s in body)


def _returns_result(body: list[ast.stmt]) -> bool:
    return any(isinstance(s, ast.Return) for s in body)
