"""R-RES-ASYNC-1, polling SQL."""

import ast
from collections.abc import Iterator

from ..finding import Finding, Rule
from ..sql import LOCKS, polls
from ..syntax import last_name

EXECUTES = {
    "text",
    "execute",
    "executemany",
    "fetch",
    "fetchrow",
    "fetchval",
    "fetch_all",
    "fetch_one",
    "fetch_val",
    "exec_driver_sql",
    "scalars",
    "scalar",
    "stream",
    "rows",
    "DDL",
    "prepare",
    "cursor",
    "iterate",
    "raw",
    "from_statement",
    "exec",
}


class PollingWithoutSkipLocked(Rule):
    """Rows are polled without SKIP LOCKED.

    Two workers then take the same rows, or wait for each other. Claim with `FOR UPDATE SKIP LOCKED` in a short
    statement (`.with_for_update(skip_locked=True)`), with a lease, and call outside the transaction.
    """

    code = "ASYNC-1-SQL"
    nodes = (ast.Module,)
    needs = (
        ("limit", "LIMIT", "for_update", "FOR ", "for update", "eturning", "RETURNING", ".first(", "FETCH", "fetch("),
        ("select", "SELECT", "Select", "UPDATE", "update", "Update", ".query("),
        (
            "tatus",
            "STATUS",
            "tate",
            "_at",
            "_after",
            "_for",
            "_AT",
            "due",
            "rocessed",
            "ublished",
            "sent",
            "not_before",
            "eta",
            "_until",
        ),
    )

    @classmethod
    def concerns(cls, text: str, parts: tuple[str, ...]) -> bool:
        """Not migrations: they run alone."""
        return super().concerns(text, parts) and not {"migrations", "alembic"} & set(parts)

    def visit(self, node: ast.AST) -> Iterator[Finding]:
        """SQL texts where they are executed or else where they stand, and Core or ORM selects."""
        told: set[str] = set()
        for call in self.source.nodes(ast.Call):
            if last_name(call.func) not in EXECUTES or not call.args:
                continue
            inner = call.args[0]
            made = [inner] if isinstance(inner, ast.Call) else self.resolver.made_by(inner)
            if any(last_name(m.func) in EXECUTES and m is not call for m in made):
                continue
            texts = self.values.texts(inner)
            told.update(texts)
            if any(polls(t) and not (self.view.selects.lists(call) and not LOCKS.search(t)) for t in texts):
                yield self.finding(call)
        yield from self._constants(told)
        for call in self.source.nodes(ast.Call):
            if self.view.selects.starts(call) and self.view.selects.polls(call):
                yield self.finding(call)

    def _constants(self, told: set[str]) -> Iterator[Finding]:
        """Texts that are assigned and executed somewhere else."""
        assignments: list[ast.Assign | ast.AnnAssign] = [
            *self.source.nodes(ast.Assign),
            *self.source.nodes(ast.AnnAssign),
        ]
        for assign in assignments:
            if assign.value is None or not isinstance(assign.value, (ast.Constant, ast.JoinedStr, ast.BinOp)):
                continue
            if any(polls(t) and not any(t in known for known in told) for t in self.values.texts(assign.value)):
                yield self.finding(assign)
