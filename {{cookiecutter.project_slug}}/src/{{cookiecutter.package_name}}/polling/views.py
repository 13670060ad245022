"""How the tasks of one aggregate stand: one statement over all task tables that belong to it."""

from functools import lru_cache

from sqlalchemy import Table, TextClause, text

from .api import TaskView
from .database import Database
from .identifiers import statement, task_names
from .tables import aggregate_name, task_tables

LATEST = """(
SELECT $number AS number, task_id, status, external_id, retry_count, last_error, next_attempt_at, updated_at
FROM $task_table WHERE $owner = CAST(:aggregate_id AS bigint) ORDER BY task_id DESC LIMIT 1)"""


@lru_cache(maxsize=256)
def _latest(tables: tuple[Table, ...]) -> TextClause:
    parts = [statement(LATEST, task_names(table), {"number": str(number)}) for number, table in enumerate(tables)]
    return text(" UNION ALL ".join(part.text for part in parts))


async def task_views(database: Database, aggregate: Table, aggregate_id: int) -> list[TaskView]:
    """Return the latest task of every kind that was queued for an aggregate.

    Raises:
        DatabaseUnavailableError: ask again.
    """
    name = aggregate_name(aggregate)
    tables = tuple(t for t in task_tables(aggregate.metadata) if t.info["aggregate"] == name)
    if not tables:
        return []
    rows = await database.rows(_latest(tables), {"aggregate_id": aggregate_id})
    return [
        TaskView(
            task=str(tables[row.number].info["task"]),
            task_id=row.task_id,
            status=row.status,
            external_id=row.external_id,
            retry_count=row.retry_count,
            last_error=row.last_error,
            next_attempt_at=row.next_attempt_at,
            updated_at=row.updated_at,
        )
        for row in sorted(rows, key=lambda row: row.number)
    ]
