"""Values that take the place of a result where an error was caught."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .binding import Function
from .source import Source
from .syntax import label, last_name

HANDED = {
    "fallback",
    "default",
    "on_error",
    "on_failure",
    "otherwise",
    "fallback_value",
    "default_value",
    "retry_error_callback",
}


@dataclass(frozen=True, slots=True)
class Fallback:
    """A value returned or assigned after an error; `caught` lists the errors, `target` the name assigned."""

    node: ast.AST
    value: ast.expr | None
    caught: str
    returns: bool
    target: str = ""
    instead: bool = True  # False: what follows a `try` that gave no result of its own


def fallbacks(source: Source, function: Function) -> Iterator[Fallback]:
    """The fallbacks of a function: in handlers, after handlers that pass, after `suppress`, and where an error is a value."""
    emptied = _emptied(source, function)
    for node in source.local(function):
        if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            yield from _of_try(source, node)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                call = item.context_expr
                if isinstance(call, ast.Call) and last_name(call.func) == "suppress":
                    yield from _after(source, node, ",".join(last_name(a) for a in call.args), instead=True)
        elif isinstance(node, ast.IfExp):
            yield from _chosen(node, emptied)
        elif isinstance(node, ast.If):
            yield from _branch(node, emptied)


def handed(call: ast.Call) -> Iterator[Fallback]:
    """The value of `fallback=`, `default=` and their like, given to whatever guards a call; of a lambda its answer."""
    named = "fallback" in last_name(call.func).lower()
    guards = named or any(
        word in last_name(call.func).lower() for word in ("call", "guard", "retry", "protect", "run", "execute")
    )
    values = [
        k.value for k in call.keywords if k.arg in HANDED and (guards or k.arg not in ("default", "default_value"))
    ]
    if named:
        values += call.args
    for value in values:
        yield Fallback(value, value.body if isinstance(value, ast.Lambda) else value, "Exception", returns=True)


def _of_try(source: Source, node: ast.AST) -> Iterator[Fallback]:
    handlers: list[ast.ExceptHandler] = getattr(node, "handlers", [])
    for handler in handlers:
        yield from _in_handler(source, handler)
    passing = [h for h in handlers if not _leaves(h.body) and not _assigns(h.body)]
    if passing and isinstance(node, ast.stmt):
        caught = ",".join(_errors(h.type) for h in passing)
        yield from _after(source, node, caught, instead=_returns_result(getattr(node, "body", [])))


def _in_handler(source: Source, handler: ast.ExceptHandler) -> Iterator[Fallback]:
    caught = _errors(handler.type)
    for node in source.local(handler):
        if isinstance(node, (ast.Return, ast.Yield)):
            yield Fallback(node, node.value, caught, returns=True)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _assigned(node, target, node.value, caught)
        elif isinstance(node, ast.AnnAssign):
            yield from _assigned(node, node.target, node.value, caught)


def _assigned(node: ast.stmt, target: ast.expr, value: ast.expr | None, caught: str) -> Iterator[Fallback]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for inner, part in zip(target.elts, value.elts, strict=True):
            yield from _assigned(node, inner, part, caught)
    elif label(target):
        yield Fallback(node, value, caught, returns=False, target=label(target))


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


def _emptied(source: Source, function: Function) -> dict[str, str]:
    """The names that a handler sets to None, and the errors that it caught: `response = None`."""
    found: dict[str, str] = {}
    for handler in (n for n in source.local(function) if isinstance(n, ast.ExceptHandler)):
        for node in handler.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value is None:
                found.update({t.id: _errors(handler.type) for t in node.targets if isinstance(t, ast.Name)})
    return found


def _chosen(node: ast.IfExp, emptied: dict[str, str]) -> Iterator[Fallback]:
    """`0 if isinstance(result, Exception) else result`, `result if result is not None else 0`."""
    caught, inverted = _asks_for_error(node.test, emptied)
    if caught:
        yield Fallback(node, node.orelse if inverted else node.body, caught, returns=True)


def _branch(node: ast.If, emptied: dict[str, str]) -> Iterator[Fallback]:
    """`if isinstance(result, Exception): return 0`."""
    caught, inverted = _asks_for_error(node.test, emptied)
    for statement in (node.orelse if inverted else node.body) if caught else ():
        if isinstance(statement, ast.Return):
            yield Fallback(statement, statement.value, caught, returns=True)
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                yield from _assigned(statement, target, statement.value, caught)


def _asks_for_error(test: ast.expr, emptied: dict[str, str]) -> tuple[str, bool]:
    """The errors that a test asks for, and whether it holds when there was none."""
    inverted = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    inner = test.operand if isinstance(test, ast.UnaryOp) else test
    if isinstance(inner, ast.Compare) and isinstance(inner.left, ast.Name) and inner.left.id in emptied:
        none = isinstance(inner.comparators[0], ast.Constant) and inner.comparators[0].value is None
        return (emptied[inner.left.id] if none else ""), inverted != isinstance(inner.ops[0], (ast.IsNot, ast.NotEq))
    if isinstance(inner, ast.Name) and inner.id in emptied:
        return emptied[inner.id], not inverted
    return _error_as_value(inner), inverted


def _error_as_value(test: ast.expr) -> str:
    if not isinstance(test, ast.Call) or last_name(test.func) != "isinstance" or len(test.args) < 2:
        return ""
    errors = _errors(test.args[1])
    return (
        errors if all(e.endswith(("Exception", "Error", "Unavailable", "Timeout")) for e in errors.split(",")) else ""
    )


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
