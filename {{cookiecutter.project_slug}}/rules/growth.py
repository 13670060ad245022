"""Values that change after they were given: `x *= 2` in a loop, `delay = min(delay * 2, 60)`, `pauses.append(30)`."""

import ast
from datetime import timedelta
from typing import TYPE_CHECKING

from .arithmetic import ARITHMETIC, UNKNOWN, Candidates, applied, few, items_of
from .binding import LOOPS, Binding
from .flow import find_scope
from .syntax import arguments

if TYPE_CHECKING:
    from .values import Values

ROUNDS = 16  # a delay that grows without a bound in source is followed this far


def refers(binding: Binding, name: str) -> bool:
    """Whether a binding makes a value from the one before: `x += 1`, `x = f(x)`."""
    if binding.kind == "grown":
        return True
    value = binding.value if binding.kind == "value" else None
    return value is not None and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value))


def grown(values: "Values", binding: Binding, use: ast.Name, start: Candidates, depth: int) -> Candidates:
    """The values after `x *= 2` or `x = f(x)`, once on a straight line and repeatedly in a loop."""
    loop = next((a for a in values.source.ancestors(binding.node) if isinstance(a, LOOPS)), None)
    shared = loop is not None and any(a is loop for a in values.source.ancestors(use))
    found: Candidates = []
    current: Candidates = [v for v in start if isinstance(v, (int, float, timedelta, str)) and not isinstance(v, bool)]
    for _ in range(_rounds(values, loop, depth) if shared else 1):
        if isinstance(binding.node, ast.AugAssign):
            step = ARITHMETIC.get(type(binding.node.op))
            increments = values.of(binding.value, depth)
            current = [v for a in current for b in increments for v in applied(step, a, b)]
        else:
            current = _with(values, use.id, current, binding.value, depth)
        current = [v for v in few(current) if v is not UNKNOWN]
        found.extend(current)
        if not current or found.count(current[-1]) > 2:
            break
    return found


def changed(values: "Values", use: ast.Name | ast.Attribute, worth: Candidates, depth: int) -> Candidates:
    """What lists and mappings hold after `append`, `update` and `x["a"] = 1` anywhere in the scope of their name."""
    name = use.id if isinstance(use, ast.Name) else use.attr
    changes = values.source.changes.get(name)
    if not changes or not any(isinstance(v, (tuple, dict)) for v in worth):
        return worth
    for change in changes:
        if _same(values, use, change):
            worth = [_after(values, change, value, depth) for value in worth]
    return worth


def _same(values: "Values", use: ast.Name | ast.Attribute, change: ast.Call | ast.Assign) -> bool:
    source = values.source
    if isinstance(use, ast.Attribute):
        return source.owner(use) is source.owner(change)
    return find_scope(source, use.id, use) is find_scope(source, use.id, change)


def _after(values: "Values", change: ast.Call | ast.Assign, value: object, depth: int) -> object:
    if isinstance(change, ast.Assign):
        target = change.targets[0]
        if not isinstance(target, ast.Subscript) or not isinstance(value, dict):
            return value
        keys = [k for k in values.of(target.slice, depth) if isinstance(k, (str, int, float))]
        given = values.single(change.value, depth)
        return {**value, **(dict.fromkeys(keys, given) or {UNKNOWN: UNKNOWN})}
    given = [v for a in arguments(change) for v in values.of(a, depth)]
    if isinstance(value, tuple):
        return (*value, *(given if _adds_one(change) else [i for v in given for i in items_of(v)]))
    if isinstance(value, dict):
        merged = {**value, **{k.arg: values.single(k.value, depth) for k in change.keywords if k.arg}}
        for more in given:
            merged |= more if isinstance(more, dict) else {}
        if isinstance(change.func, ast.Attribute) and change.func.attr == "setdefault" and len(given) > 1:
            merged.setdefault(given[0] if isinstance(given[0], str) else UNKNOWN, given[1])
        return merged
    return value


def _adds_one(change: ast.Call) -> bool:
    return isinstance(change.func, ast.Attribute) and change.func.attr not in ("extend", "update")


def _with(values: "Values", name: str, starts: Candidates, node: ast.expr | None, depth: int) -> Candidates:
    found: Candidates = []
    for value in starts:
        replaced = _Replace(name, value).visit(ast.parse(ast.unparse(node), mode="eval").body) if node else None
        found.extend(values.fresh(replaced, depth) if replaced is not None else [])
    return found


def _rounds(values: "Values", loop: ast.AST | None, depth: int) -> int:
    if isinstance(loop, (ast.For, ast.AsyncFor)):
        lengths = [len(v) for v in values.of(loop.iter, depth) if isinstance(v, (tuple, range, dict))]
        return max(min(max(lengths) - 1, ROUNDS), 0) if lengths else 1
    return ROUNDS


class _Replace(ast.NodeTransformer):
    """A copy of an expression with a value in place of a name."""

    def __init__(self, name: str, value: object) -> None:
        self.name = name
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Put the value where the name stood."""
        if node.id == self.name and isinstance(self.value, (int, float, str)):
            return ast.Constant(self.value)
        return node
