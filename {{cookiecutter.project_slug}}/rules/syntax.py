"""Plain questions to nodes of the syntax tree, without regard to what their names stand for."""

import ast

PLAIN = {  # fields that hold no node worth a visit: names, operators, contexts, positions
    *("ctx", "op", "ops", "id", "attr", "arg", "asname", "level", "module", "type_comment", "kind"),
    *("conversion", "is_async", "simple", "rest", "tag", "type_ignores"),
}
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {ast.Constant: ()}


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


def argument(call: ast.Call, position: int, *names: str) -> ast.expr | None:
    """An argument given by position or by one of these names."""
    if len(call.args) > position and not any(isinstance(a, ast.Starred) for a in call.args[: position + 1]):
        return call.args[position]
    return keyword(call, *names)


def arguments(call: ast.Call) -> list[ast.expr]:
    """All arguments, those by position first."""
    return [*call.args, *(k.value for k in call.keywords)]


def label(node: ast.AST) -> str:
    """The name of a variable or attribute; of an item the key that is written, else the name of what holds it."""
    if isinstance(node, ast.Subscript):
        written = node.slice.value if isinstance(node.slice, ast.Constant) else None
        return written if isinstance(written, str) else label(node.value)
    return last_name(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""


def dotted(node: ast.AST) -> str:
    """`a.b.c` as it is written, for a chain of names; else nothing."""
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return node.id if isinstance(node, ast.Name) else ""


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes below a node that say something, in the order of the source."""
    kind = type(node)
    fields = _FIELDS.get(kind)
    if fields is None:
        fields = _FIELDS[kind] = tuple(f for f in kind._fields if f not in PLAIN)
    found: list[ast.AST] = []
    for name in fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            for item in value:
                if isinstance(item, ast.AST):
                    found.append(item)
        elif isinstance(value, ast.AST):
            found.append(value)
    return found
