"""Statements that are built of calls (SQLAlchemy Core and ORM, other mappers): whether they take waiting rows, and skip locked ones."""

import ast
import re
from collections.abc import Iterator

from .binding import FUNCTIONS
from .flow import find_scope, reaching
from .resolver import Resolver
from .roles import route_method
from .source import Source
from .sql import DONE_COLUMN, DUE_COLUMN, STATUS_COLUMN, WAITING
from .syntax import label, last_name
from .values import Values

SESSION = re.compile(r"^_*(s|db|session|db_session|sess)$", re.IGNORECASE)
QUEUE_NAME = re.compile(r"(task|job|queue|outbox)s?(_table)?$", re.IGNORECASE)
CONDITIONS = ("where", "filter", "filter_by")
STARTS = ("filter", "objects", "all")


class Selects:
    """Answers about one source."""

    def __init__(self, source: Source, resolver: Resolver, values: Values) -> None:
        self.source = source
        self.resolver = resolver
        self.values = values

    def starts(self, call: ast.Call) -> bool:
        """`select(...)`, `update(...)`, `session.query(...)`, and `Job.filter(...)` of other mappers."""
        name = self.resolver.name(call.func)
        if name.rpartition(".")[2] in ("select", "update") and (
            name.startswith("sqlalchemy") or name.startswith("sqlmodel")
        ):
            return True
        if not isinstance(call.func, ast.Attribute):
            return False
        if call.func.attr in ("select", "update") and not call.args:
            return self._is_table(call.func.value)
        if call.func.attr == "query":
            return bool(SESSION.search(last_name(call.func.value)))
        return call.func.attr in STARTS and self._is_model(call.func.value)

    def _is_table(self, node: ast.expr) -> bool:
        """`jobs.select()`: the older way, of a table."""
        return self.resolver.kind(node).endswith("Table") or bool(QUEUE_NAME.search(last_name(node)))

    def _is_model(self, node: ast.expr) -> bool:
        """`Job.filter(...)`, `Job.objects.filter(...)`."""
        owner = node.value if isinstance(node, ast.Attribute) and node.attr == "objects" else node
        return isinstance(owner, ast.Name) and owner.id[:1].isupper()

    def polls(self, call: ast.Call) -> bool:
        """Whether a statement takes rows that wait or are due, and does not skip those that others hold."""
        steps = [call, *self._steps(call)]
        names = {last_name(s.func) for s in steps}
        locks = [s for s in steps if last_name(s.func) in ("with_for_update", "select_for_update")]
        if any(self._skips(s) for s in locks) or (not locks and ("offset" in names or self.lists(call))):
            return False
        if not names & {"limit", "with_for_update", "select_for_update", "first", "fetch", "returning"}:
            return False
        if any(self._is_aggregate(a) for a in call.args):
            return False
        conditions: list[ast.expr | ast.keyword] = [
            c for s in steps if last_name(s.func) in CONDITIONS for c in self._given(s)
        ]
        return any(self._is_due(c) for c in conditions) and not any(self._is_one_row(c) for c in conditions)

    def lists(self, call: ast.Call) -> bool:
        """Whether a route that reads shows rows to people, and works on none."""
        function = self.source.function(call)
        decorators = function.decorator_list if isinstance(function, FUNCTIONS) else []
        return any(route_method(d) in ("get", "head") for d in decorators)

    @staticmethod
    def _given(call: ast.Call) -> list[ast.expr | ast.keyword]:
        return [*call.args, *call.keywords]

    def _steps(self, call: ast.Call) -> Iterator[ast.Call]:
        """The calls chained to a select, over reassignments of its variable too."""
        node: ast.AST = call
        parent = self.source.parents.get(node)
        while isinstance(parent, ast.Attribute):
            outer = self.source.parents.get(parent)
            if not isinstance(outer, ast.Call) or outer.func is not parent:
                break
            yield outer
            node, parent = outer, self.source.parents.get(outer)
        if isinstance(parent, (ast.Assign, ast.AnnAssign)):
            target = parent.targets[0] if isinstance(parent, ast.Assign) else parent.target
            if isinstance(target, ast.Name):
                yield from self._continued(target)

    def _continued(self, target: ast.Name) -> Iterator[ast.Call]:
        scope = find_scope(self.source, target.id, target)
        function = self.source.function(target)
        for node in self.source.local(function if function is not None else self.source.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.lineno > target.lineno:
                root: ast.expr = node.func.value
                while isinstance(root, ast.Call) and isinstance(root.func, ast.Attribute):
                    root = root.func.value
                if (
                    isinstance(root, ast.Name)
                    and root.id == target.id
                    and find_scope(self.source, root.id, root) is scope
                ):
                    yield node

    def _skips(self, call: ast.Call) -> bool:
        given, complete = self.values.mapping(call)
        value = given.get("skip_locked")
        if value is None:
            return not complete
        return (self.values.of(value) if isinstance(value, ast.expr) else [value]) != [False]

    def _is_aggregate(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and last_name(node.func) in ("count", "min", "max", "sum", "exists", "avg")

    def _is_due(self, condition: ast.expr | ast.keyword) -> bool:
        if isinstance(condition, ast.keyword):
            name, _, how = (condition.arg or "").partition("__")
            if how in ("lt", "lte", "isnull", "is_null") and DUE_COLUMN.match(name):
                return True
            return bool(STATUS_COLUMN.match(name)) and self._waits(condition.value)
        names = [condition] if isinstance(condition, (ast.Name, ast.Attribute)) else []
        written = [v for n in names for v in self._assigned(n)]
        return any(self._says_due(node) for c in [condition, *written] for node in ast.walk(c))

    def _assigned(self, name: ast.expr) -> list[ast.expr]:
        """The condition behind a name: `due = Job.run_at <= now()`."""
        bindings = reaching(self.source, name.id, name) if isinstance(name, ast.Name) else []
        if isinstance(name, ast.Attribute):
            bindings = self.resolver.attribute(name)
        return [b.value for b in bindings if b.kind == "value" and b.value is not None]

    def _says_due(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(DUE_COLUMN.match(self._column(s)) for s in sides) and not isinstance(node.ops[0], ast.Eq):
                return True
            if any(DONE_COLUMN.match(self._column(s)) for s in sides):
                return any(isinstance(s, ast.Constant) and not s.value for s in sides)
            return any(STATUS_COLUMN.match(self._column(s)) for s in sides) and any(self._waits(s) for s in sides)
        if isinstance(node, ast.UnaryOp):
            inverted = isinstance(node.op, (ast.Invert, ast.Not))
            return inverted and bool(DONE_COLUMN.match(self._column(node.operand)))
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return False
        column, given = self._column(node.func.value), node.args[0] if node.args else None
        if node.func.attr in ("is_", "is_not_distinct_from"):
            empty = isinstance(given, ast.Constant) and not given.value
            said = isinstance(given, ast.Call) and last_name(given) in ("false", "null")
            return bool(DONE_COLUMN.match(column) or DUE_COLUMN.match(column)) and (empty or said)
        if node.func.attr in ("in_", "any_"):
            return bool(STATUS_COLUMN.match(column)) and given is not None and self._waits(given)
        return False

    def _column(self, node: ast.expr) -> str:
        """The name of a column: `Job.status`, `jobs.c.status`, `jobs.c["status"]`, `column("status")`."""
        if isinstance(node, ast.Subscript):
            return label(node)
        if isinstance(node, ast.Call) and last_name(node.func) in ("column", "literal_column", "func") and node.args:
            return next(iter(self.values.texts(node.args[0])), "")
        return last_name(node)

    def _waits(self, node: ast.expr) -> bool:
        """A state of waiting, in words or as a member of an enumeration; one of several, too."""
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return any(self._waits(e) for e in node.elts)
        if isinstance(node, ast.Attribute) and node.attr in ("value", "name"):
            return self._waits(node.value) or any(WAITING.match(t) for t in self.values.texts(node))
        texts = [t for v in self.values.of(node) for t in (v if isinstance(v, tuple) else [v]) if isinstance(t, str)]
        if any(WAITING.match(t) for t in texts):
            return True
        if isinstance(node, ast.Name):
            return any(isinstance(v, (ast.Tuple, ast.List, ast.Set)) and self._waits(v) for v in self._assigned(node))
        return isinstance(node, ast.Attribute) and bool(WAITING.match(node.attr)) and node.attr[:1].isupper()

    def _is_one_row(self, condition: ast.expr | ast.keyword) -> bool:
        name = condition.arg or "" if isinstance(condition, ast.keyword) else ""
        if isinstance(condition, ast.Compare) and isinstance(condition.ops[0], ast.Eq):
            name = last_name(condition.left)
        return name == "id" or name.endswith("_id")
