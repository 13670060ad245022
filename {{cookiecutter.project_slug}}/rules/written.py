"""Mappings, lists and texts as they are written: what is in them, and what a call is given by them."""

import ast
from typing import TYPE_CHECKING

from .arithmetic import HOLE, UNKNOWN, Candidates
from .flow import reaching

if TYPE_CHECKING:
    from .values import Values


def mapping(values: "Values", call: ast.Call) -> tuple[dict[str, object], bool]:
    """The keyword arguments of a call with `**mappings` that source shows; and whether that is all of them."""
    found: dict[str, object] = {}
    complete = True
    for argument in call.keywords:
        if argument.arg is not None:
            found[argument.arg] = argument.value
            continue
        inside = written(values, argument.value)
        if inside is not None:
            found.update(inside)
            continue
        shown = [v for v in values.of(argument.value) if isinstance(v, dict)]
        complete = complete and bool(shown) and not any(UNKNOWN in v for v in shown)
        for value in shown:
            found.update({str(k): v for k, v in value.items()})
    return found, complete


def written(values: "Values", node: ast.expr) -> dict[str, object] | None:
    """The expressions of a mapping that is written out, here or where its one name is assigned."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        name = node.id if isinstance(node, ast.Name) else node.attr
        bindings = (
            reaching(values.source, name, node) if isinstance(node, ast.Name) else values.resolver.attribute(node)
        )
        plain = len(bindings) == 1 and bindings[0].kind == "value" and name not in values.source.changes
        return written(values, bindings[0].value) if plain and bindings[0].value is not None else None
    if isinstance(node, ast.Call) and values.resolver.name(node.func) == "dict" and not node.args:
        return {k.arg: k.value for k in node.keywords if k.arg} if all(k.arg for k in node.keywords) else None
    if not isinstance(node, ast.Dict):
        return None
    keys = [values.single(k, 0) if k is not None else UNKNOWN for k in node.keys]
    shown = {k: v for k, v in zip(keys, node.values, strict=True) if isinstance(k, str)}
    return dict(shown) if len(shown) == len(node.values) else None


def of_display(values: "Values", node: ast.AST, depth: int) -> Candidates:
    """What a literal dictionary, tuple, list or set holds."""
    if isinstance(node, ast.Dict):
        found: dict[object, object] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            inner = values.single(value, depth)
            if key is None:
                found.update(inner if isinstance(inner, dict) else {UNKNOWN: UNKNOWN})
            else:
                name = values.single(key, depth)
                found[name if isinstance(name, (str, int, float)) else UNKNOWN] = inner
        return [found]
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return [tuple(values.single(e, depth) for e in node.elts)]
    return [UNKNOWN]


def of_text(values: "Values", node: ast.AST, depth: int) -> Candidates:
    """An f-string, with holes where source does not show a part."""
    if not isinstance(node, ast.JoinedStr):
        return [UNKNOWN]
    parts = []
    for part in node.values:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        value = values.single(inner, depth)
        parts.append(HOLE if value is UNKNOWN else str(value))
    return ["".join(parts)]
