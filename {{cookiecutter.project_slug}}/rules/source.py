"""A parsed file, and what can be asked about its structure."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from .binding import COMPREHENSIONS, FUNCTIONS, Function, Scope
from .syntax import children
from .traversal import CLOSED, Traversal

N = TypeVar("N", bound=ast.AST)


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
        noted = Traversal(tree)
        self.parents = noted.parents
        self.by_type = noted.by_type
        self.scopes = noted.scopes
        self.module = noted.module
        self.calls_by_name = noted.calls_by_name
        self.calls_by_argument = noted.calls_by_argument
        self.changes = noted.changes
        self.stars = noted.stars
        self._scope_of = noted.scope_of
        self._local: dict[ast.AST, list[ast.AST]] = {}

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
            todo = children(root)[::-1]
            while todo:
                node = todo.pop()
                known.append(node)
                if type(node) not in CLOSED:
                    todo.extend(children(node)[::-1])
        return known
