"""R-RES-ASYNC-1, polling SQL."""

import ast
import re
from collections.abc import Iterator

from ..finding import Finding, Rule
from ..flow import find_scope
from ..syntax import last_name

SELECTS = re.compile(r"\bselect\b.*\bfrom\b|\bupdate\b.*\bset\b", re.IGNORECASE | re.DOTALL)
DUE = re.compile(
    r"\b(next_attempt_at|run_at|run_after|due_at|scheduled_at|scheduled_for|available_at|visible_at|next_run_at|next_try_at)\s*(<|is\s+null)"
    r"|\b(status|state)\s*(=|in)\s*\(?\s*'(pending|in_progress|queued|new|ready|waiting|scheduled|retry)",
    re.IGNORECASE,
)
TAKES = re.compile(r"\blimit\b|\bfor\s+(no\s+key\s+)?update\b|\bfetch\s+first\b|\breturning\b", re.IGNORECASE)
SKIPS = re.compile(r"\bskip\s+locked\b", re.IGNORECASE)
COUNTS = re.compile(r"\b(count|min|max|exists|avg|sum)\s*\(", re.IGNORECASE)
BOUND_STATUS = re.compile(r"\b(status|state)\s*(=|in)\s*\(?\s*(:\w|\$\d|%|any)", re.IGNORECASE)
LOCKS = re.compile(r"\bfor\s+(no\s+key\s+)?update\b", re.IGNORECASE)
ONE_ROW = re.compile(r"\bwhere\s+(\w+\.)?(id|\w+_id)\s*=\s*[:$%{]", re.IGNORECASE)
INSERTS = re.compile(r"^\s*(insert|delete|create|alter|with\s+\w+\s+as\s+materialized\s+never)\b", re.IGNORECASE)
EXECUTES = {
    "text",
    "execute",
    "fetch",
    "fetchrow",
    "fetchval",
    "fetch_all",
    "fetch_one",
    "exec_driver_sql",
    "scalars",
    "scalar",
    "stream",
    "rows",
    "DDL",
    "prepare",
    "cursor",
}
DUE_COLUMN = re.compile(
    r"^(next_attempt_at|run_at|run_after|due_at|scheduled_at|scheduled_for|available_at|visible_at|next_run_at|next_try_at)$"
)
STATUS_COLUMN = re.compile(r"^(status|state)$")
SESSION = re.compile(r"^_*(s|db|session|db_session|sess)$", re.IGNORECASE)
WAITING = re.compile(r"^(pending|in_progress|queued|new|ready|waiting|scheduled|retry)$", re.IGNORECASE)


class PollingWithoutSkipLocked(Rule):
    """Rows are polled without SKIP LOCKED.

    Two workers then take the same rows, or wait for each other. Claim with `FOR UPDATE SKIP LOCKED` in a short
    statement (`.with_for_update(skip_locked=True)`), with a lease, and call outside the transaction.
    """

    code = "ASYNC-1-SQL"
    nodes = (ast.Module,)
    needs = (
        ("select", "SELECT", "UPDATE", "update", ".query("),
        ("status", "STATUS", "state", "_at", "run_after", "scheduled_for"),
    )

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """SQL texts where they are executed or else where they stand, and Core or ORM selects."""
        told: set[str] = set()
        for call in self.source.nodes(ast.Call):
            if last_name(call.func) not in EXECUTES or not call.args:
                continue
            inner = call.args[0]
            if isinstance(inner, ast.Call) and last_name(inner.func) in EXECUTES:
                continue
            polls = [t for t in self.values.texts(inner) if self._polls(t)]
            told.update(t for t in self.values.texts(inner))
            if polls:
                yield self.finding(call)
        yield from self._constants(told)
        for call in self.source.nodes(ast.Call):
            if self._starts_select(call) and self._core_polls(call):
                yield self.finding(call)

    def _polls(self, text: str) -> bool:
        if SKIPS.search(text) or INSERTS.match(text) or not SELECTS.search(text):
            return False
        due = DUE.search(text) or (BOUND_STATUS.search(text) and LOCKS.search(text))
        if not due or not TAKES.search(text):
            return False
        if ONE_ROW.search(text):
            return False
        return not COUNTS.search(text.partition("from")[0] if "from" in text else text.partition("FROM")[0])

    def _constants(self, told: set[str]) -> Iterator[Finding]:
        """Texts that are assigned and executed somewhere else."""
        assignments: list[ast.Assign | ast.AnnAssign] = [
            *self.source.nodes(ast.Assign),
            *self.source.nodes(ast.AnnAssign),
        ]
        for assign in assignments:
            if assign.value is None or not isinstance(assign.value, (ast.Constant, ast.JoinedStr, ast.BinOp)):
                continue
            if any(t not in told and self._polls(t) for t in self.values.texts(assign.value)):
                yield self.finding(assign)

    @staticmethod
    def _given(call: ast.Call) -> list[ast.expr | ast.keyword]:
        return [*call.args, *call.keywords]

    def _starts_select(self, call: ast.Call) -> bool:
        name = self.resolver.name(call.func)
        if name.rpartition(".")[2] == "select" and (name.startswith("sqlalchemy") or name == "sqlmodel.select"):
            return True
        return (
            isinstance(call.func, ast.Attribute)
            and call.func.attr == "query"
            and bool(SESSION.search(last_name(call.func.value)))
        )

    def _core_polls(self, call: ast.Call) -> bool:
        steps = list(self._steps(call))
        names = {last_name(s.func) for s in steps}
        if any(self._skips(s) for s in steps if last_name(s.func) == "with_for_update"):
            return False
        if not names & {"limit", "with_for_update", "first", "fetch"}:
            return False
        if any(self._is_aggregate(a) for a in call.args):
            return False
        conditions: list[ast.expr | ast.keyword] = [
            c for s in steps if last_name(s.func) in ("where", "filter", "filter_by") for c in self._given(s)
        ]
        return any(self._is_due(c) for c in conditions) and not any(self._is_one_row(c) for c in conditions)

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
        value = next((k.value for k in call.keywords if k.arg == "skip_locked"), None)
        return value is not None and self.values.of(value) != [False]

    def _is_aggregate(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and last_name(node.func) in ("count", "min", "max", "sum", "exists", "avg")

    def _is_due(self, condition: ast.expr | ast.keyword) -> bool:
        if isinstance(condition, ast.keyword):
            return bool(STATUS_COLUMN.match(condition.arg or "")) and self._waiting(condition.value)
        for node in ast.walk(condition):
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                if any(DUE_COLUMN.match(last_name(s)) for s in sides) and not isinstance(node.ops[0], ast.Eq):
                    return True
                if any(STATUS_COLUMN.match(last_name(s)) for s in sides) and any(self._waiting(s) for s in sides):
                    return True
            elif isinstance(node, ast.Call) and last_name(node.func) == "in_" and isinstance(node.func, ast.Attribute):
                values = getattr(node.args[0], "elts", []) if node.args else []
                if STATUS_COLUMN.match(last_name(node.func.value)) and any(self._waiting(v) for v in values):
                    return True
        return False

    def _waiting(self, node: ast.expr) -> bool:
        texts = self.values.texts(node)
        return any(WAITING.match(t) for t in texts) or (
            isinstance(node, ast.Attribute) and bool(WAITING.match(node.attr)) and node.attr.isupper()
        )

    def _is_one_row(self, condition: ast.expr | ast.keyword) -> bool:
        name = condition.arg or "" if isinstance(condition, ast.keyword) else ""
        if isinstance(condition, ast.Compare) and isinstance(condition.ops[0], ast.Eq):
            name = last_name(condition.left)
        return name == "id" or name.endswith("_id")
