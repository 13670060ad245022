"""Which rows an operator means; what is left out matches everything."""

from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import Table

from .identifiers import statement, task_names

STATUSES = ("PENDING", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED")

MATCH = """
(CAST(:ids AS bigint[]) IS NULL OR t.task_id = ANY(CAST(:ids AS bigint[])))
AND (CAST(:aggregate_ids AS bigint[]) IS NULL OR t.$owner = ANY(CAST(:aggregate_ids AS bigint[])))
AND (CAST(:statuses AS text[]) IS NULL OR t.status = ANY(CAST(:statuses AS text[])))
AND (CAST(:error AS text) IS NULL OR position(CAST(:error AS text) IN t.last_error) > 0)
AND (CAST(:older_than AS float8) IS NULL
  OR t.created_at < now() - CAST(:older_than AS float8) * interval '1 second')
AND (CAST(:newer_than AS float8) IS NULL
  OR t.created_at > now() - CAST(:newer_than AS float8) * interval '1 second')"""


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions on rows of one task, all of which must hold. Ages are in seconds."""

    ids: list[int] | None = None
    aggregate_ids: list[int] | None = None
    statuses: list[str] | None = None
    error: str | None = None
    older_than: float | None = None
    newer_than: float | None = None

    def values(self) -> dict[str, Any]:
        """Return them as what a statement binds."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def given(self) -> dict[str, Any]:
        """Return those that were named, for the record."""
        return {name: value for name, value in self.values().items() if value is not None}


def matching(table: Table) -> str:
    """Return the condition on the alias `t` of a task table."""
    return statement(MATCH, task_names(table)).text
