"""What operators may do to rows. Every change is one transaction: guarded by the row's state, and recorded with its
reason in `polling_action`.

A row that a worker holds is left alone unless asked for; taking one away raises its `claim_no`, so that the worker's
own write hits nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import orjson
from sqlalchemy import Row, Table, TextClause, text

from .database import Database
from .filters import Filters, matching
from .identifiers import quoted, statement, task_names
from .settings import PollingSettings

Change = Literal["retry", "cancel", "erase"]

COLUMNS = """t.task_id, t.$owner AS aggregate_id, t.status, t.external_id, t.retry_count, t.poll_count, t.claim_no,
  t.claimed_by, t.no_outcome, t.next_attempt_at, t.deadline_at, t.last_error, t.traceparent, t.created_at, t.updated_at,
  t.finished_at"""

LIST = """
SELECT $columns FROM $task_table AS t WHERE $matching ORDER BY t.task_id DESC LIMIT CAST(:n AS int)"""

SHOW = """
SELECT $columns, t.idempotency_key, t.payload FROM $task_table AS t WHERE t.task_id = CAST(:task_id AS bigint)"""

POSSIBLE: Mapping[Change, str] = {
    # Only the latest of an aggregate, and only while none is open: two open ones would be two effects.
    "retry": """t.status = 'FAILED' AND t.payload IS NOT NULL
AND NOT EXISTS (SELECT FROM $task_table AS x WHERE x.$owner = t.$owner AND (x.task_id > t.task_id OR x.$open))""",
    "cancel": "t.$open AND (CAST(:leased AS boolean) OR t.claimed_by IS NULL)",
    "erase": "NOT t.$open AND t.payload IS NOT NULL $settled",
}

SELECT = """
SELECT t.task_id FROM $task_table AS t WHERE $matching AND $possible
ORDER BY t.task_id LIMIT CAST(:n AS int)"""

CHANGED: Mapping[Change, str] = {
    "retry": """
UPDATE $task_table AS t SET status = CASE WHEN t.external_id IS NULL OR CAST(:resubmit AS boolean)
    THEN 'PENDING' ELSE 'IN_PROGRESS' END,
  external_id = CASE WHEN CAST(:resubmit AS boolean) THEN NULL ELSE t.external_id END,
  retry_count = 0, poll_count = 0, no_outcome = 0, claim_no = t.claim_no + 1, next_attempt_at = now(),
  deadline_at = CASE WHEN t.external_id IS NULL OR CAST(:resubmit AS boolean) THEN NULL
    ELSE now() + CAST(:deadline AS float8) * interval '1 second' END,
  updated_at = now(), finished_at = NULL
WHERE t.task_id = ANY(CAST(:task_ids AS bigint[])) RETURNING t.task_id""",
    "cancel": """
WITH u AS (
  UPDATE $task_table AS t SET status = 'CANCELLED', claimed_by = NULL, claim_no = t.claim_no + 1, updated_at = now(),
    finished_at = now(), last_error = CAST(:note AS text)
  WHERE t.task_id = ANY(CAST(:task_ids AS bigint[])) RETURNING t.task_id, t.$owner AS aggregate_id),
o AS (
  INSERT INTO polling_outbox (topic, task, task_id, aggregate, aggregate_id, reason)
  SELECT CAST(:task AS text) || '.failed', CAST(:task AS text), task_id, CAST(:aggregate AS text), aggregate_id,
    CAST(:note AS text) FROM u)
SELECT task_id FROM u""",
    "erase": """
WITH u AS (
  UPDATE $task_table AS t SET payload = NULL, last_error = NULL, updated_at = now()
  WHERE t.task_id = ANY(CAST(:task_ids AS bigint[])) RETURNING t.task_id, t.$owner AS aggregate_id),
a AS (
  UPDATE $aggregate_table AS a SET payload = CAST('{}' AS jsonb) FROM u WHERE a.$owner = u.aggregate_id)$siblings
SELECT task_id FROM u""",
}

SIBLING = """,
s$number AS (
  UPDATE $task_table AS s SET payload = NULL, last_error = NULL FROM u
  WHERE s.$owner = u.aggregate_id AND NOT s.$open)"""

SETTLED = "AND NOT EXISTS (SELECT FROM $task_table AS s WHERE s.$owner = t.$owner AND s.$open)"

RECORD = text("""
INSERT INTO polling_action (action, task, filters, task_ids, reason, actor)
VALUES (CAST(:action AS text), CAST(:task AS text), CAST(:filters AS jsonb), CAST(:task_ids AS bigint[]),
  CAST(:reason AS text), CAST(:actor AS text)) RETURNING action_id""")

PAUSE = text("""
INSERT INTO polling_pause (task, reason, actor)
VALUES (CAST(:task AS text), CAST(:reason AS text), CAST(:actor AS text)) ON CONFLICT (task) DO NOTHING""")

RESUME = text("DELETE FROM polling_pause WHERE task = CAST(:task AS text)")

PAUSED = text("SELECT task FROM polling_pause")

AnyRow = Row[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Why:
    """Who changes something, and for what reason."""

    actor: str
    reason: str


class Operators:
    """The operators' view of one task table."""

    def __init__(self, database: Database, table: Table, settings: PollingSettings) -> None:
        self.task = str(table.info["task"])
        self._database = database
        self._table = table
        self._settings = settings
        self._names = task_names(table) | _aggregate_of(table)
        self._names |= {"matching": matching(table), "columns": statement(COLUMNS, self._names).text}

    async def rows(self, filters: Filters, n: int) -> Sequence[AnyRow]:
        """Return up to `n` matching rows, the newest first, without their payloads."""
        return await self._database.rows(statement(LIST, self._names), filters.values() | {"n": n})

    async def row(self, task_id: int) -> AnyRow | None:
        """Return one row with everything in it."""
        rows = await self._database.rows(statement(SHOW, self._names), {"task_id": task_id})
        return rows[0] if rows else None

    async def candidates(self, change: Change, filters: Filters, n: int, *, leased: bool = False) -> list[int]:
        """Return the ids of rows that a change would touch now."""
        select, values = self._selection(change, filters, n, leased=leased)
        return [row.task_id for row in await self._database.rows(statement(select, self._names), values)]

    async def apply(
        self, change: Change, filters: Filters, n: int, why: Why, *, leased: bool = False, resubmit: bool = False
    ) -> list[int]:
        """Change rows and record it; returns the ids. A row that another transaction holds is left out."""
        select, values = self._selection(change, filters, n, leased=leased)
        async with self._database.transaction() as connection:
            locked = statement(f"{select} FOR UPDATE OF t SKIP LOCKED", self._names)
            task_ids = [row.task_id for row in await connection.execute(locked, values)]
            if not task_ids:
                return []
            await connection.execute(
                statement(CHANGED[change], self._names),
                {
                    "task_ids": task_ids,
                    "resubmit": resubmit,
                    "deadline": self._settings.deadline,
                    "task": self.task,
                    "aggregate": self._table.info["aggregate"],
                    "note": f"cancelled by {why.actor}: {why.reason}",
                },
            )
            record = _record(change, self.task, why) | {
                "filters": orjson.dumps(filters.given()).decode(),
                "task_ids": task_ids,
            }
            await connection.execute(RECORD, record)
        return task_ids

    def _selection(self, change: Change, filters: Filters, n: int, *, leased: bool) -> tuple[str, dict[str, Any]]:
        select = SELECT.replace("$possible", POSSIBLE[change])
        return select, filters.values() | {"n": n, "leased": leased}

    async def pause(self, why: Why) -> None:
        """Keep every process from claiming this task; what runs goes on."""
        await self._switch(PAUSE, "pause", why)

    async def resume(self, why: Why) -> None:
        """Let it be claimed again."""
        await self._switch(RESUME, "resume", why)

    async def _switch(self, switch: TextClause, action: str, why: Why) -> None:
        async with self._database.transaction() as connection:
            values = {"task": self.task, "reason": why.reason, "actor": why.actor}
            await connection.execute(switch, values)
            await connection.execute(RECORD, _record(action, self.task, why) | {"filters": "{}", "task_ids": []})

    async def note(self, action: str, why: Why) -> None:
        """Record what was done elsewhere."""
        await self._database.rows(RECORD, _record(action, self.task, why) | {"filters": "{}", "task_ids": []})


def _record(action: str, task: str, why: Why) -> dict[str, Any]:
    return {"action": action, "task": task, "reason": why.reason, "actor": why.actor}


def _aggregate_of(table: Table) -> dict[str, str]:
    """Return the aggregate's table, and what erasing has to do to the copies in its other tasks."""
    (key,) = table.foreign_keys
    aggregate = key.column.table
    siblings = [
        task_names(other)
        for other in aggregate.metadata.tables.values()
        if other is not table and other.info.get("aggregate") == table.info["aggregate"]
    ]
    erased = [statement(SIBLING, names, {"number": str(number)}).text for number, names in enumerate(siblings)]
    settled = [statement(SETTLED, names).text for names in siblings]
    return {
        "aggregate_table": quoted(aggregate.name),
        "siblings": "".join(erased),
        "settled": " ".join(settled),
    }
