"""Counts of attempts in rows: those that go up, and are never compared with a maximum."""

import ast
import re

from .binding import FUNCTIONS
from .source import Source
from .sql import DUE_COLUMN
from .syntax import label

COUNTER = re.compile(
    r"^(retry|attempt|poll|try|failure)_?(count|no|number)$|^(retries|attempts|tries|polls)(_made|_done|_used)?$"
)
ENDS = re.compile(r"(max|limit|fail(ed)?$|dead|give_?up|gave_up|exhaust|reject|expire|deadline)", re.IGNORECASE)


class RowCounts:
    """Answers about one source."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def endless(self, value: ast.AST, name: str, place: ast.AST) -> bool:
        """A row's count of attempts that goes up, is never compared with a maximum, and the row becomes due again."""
        if not COUNTER.match(name) or not self._one_more(value, name):
            return False
        function = self.source.function(place)
        if not isinstance(function, FUNCTIONS):
            return False
        said = [
            n
            for n in self.source.local(function)
            if isinstance(n, (ast.Attribute, ast.keyword, ast.Constant, ast.Name))
        ]
        words = {
            getattr(n, "attr", "") or getattr(n, "arg", "") or getattr(n, "id", "") or str(getattr(n, "value", ""))
            for n in said
        }
        ends = any(ENDS.search(w) for w in words) or any(
            isinstance(n, ast.Compare) and any(label(p) == name for p in ast.walk(n))
            for n in self.source.local(function)
        )
        return not ends and any(DUE_COLUMN.match(w) for w in words)

    def _one_more(self, value: ast.AST, name: str) -> bool:
        if isinstance(value, ast.AugAssign):
            return isinstance(value.op, ast.Add) and not self._own(value.target)
        plus = value.value if isinstance(value, ast.Assign) else value
        return (
            isinstance(plus, ast.BinOp)
            and isinstance(plus.op, ast.Add)
            and label(plus.left) == name
            and not self._own(plus.left)
        )

    def _own(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
