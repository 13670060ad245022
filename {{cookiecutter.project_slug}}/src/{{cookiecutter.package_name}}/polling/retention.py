"""Retention: finished rows, published events and old idempotency keys go, in batches too small to be noticed."""

import asyncio
import logging
from collections.abc import Mapping, Sequence

from sqlalchemy import Table, TextClause, text

from .database import Database
from .errors import DatabaseUnavailableError
from .further_task import event_scope
from .identifiers import statement, task_names
from .settings import PollingSettings

logger = logging.getLogger(__name__)

PAUSE_S = 0.05
"""Between batches: claims and vacuum get their turn."""

OLD = """t.claimed_by IS NULL
    AND (t.status = 'COMPLETED' AND t.finished_at < now() - CAST(:completed AS float8) * interval '1 second'
      OR t.status IN ('FAILED', 'CANCELLED') AND t.finished_at < now() - CAST(:failed AS float8) * interval '1 second')
"""

COUNT = "SELECT count(*) AS old FROM $task_table AS t WHERE $old"

# Ids grow with time, so the walk along the primary key may stop at the first batch that is too young; no index is
# needed that every claim would have to maintain.
TASKS = """
WITH batch AS MATERIALIZED (
  SELECT task_id, status, finished_at, created_at FROM $task_table WHERE task_id > CAST(:after AS bigint)
  ORDER BY task_id LIMIT CAST(:n AS int)),
old AS MATERIALIZED (
  SELECT t.task_id FROM $task_table AS t JOIN batch ON batch.task_id = t.task_id
  WHERE $old
  FOR UPDATE OF t SKIP LOCKED),
gone AS (DELETE FROM $task_table AS t USING old WHERE t.task_id = old.task_id RETURNING t.task_id)
SELECT (SELECT count(*) FROM gone) AS gone, (SELECT max(task_id) FROM batch) AS last,
  coalesce((SELECT max(created_at) FROM batch)
    < now() - least(CAST(:completed AS float8), CAST(:failed AS float8)) * interval '1 second', false) AS more
"""

KEYS = text("""
WITH old AS MATERIALIZED (
  SELECT scope, key FROM polling_idempotency_key
  WHERE created_at < now() - CAST(:age AS float8) * interval '1 second'
  ORDER BY created_at LIMIT CAST(:n AS int) FOR UPDATE SKIP LOCKED)
DELETE FROM polling_idempotency_key AS k USING old WHERE k.scope = old.scope AND k.key = old.key RETURNING 1""")

# A key of an event does not age: it keeps the event from queueing a task twice, so it goes with the event.
EVENTS = text("""
WITH batch AS MATERIALIZED (
  SELECT event_id, published_at FROM polling_outbox ORDER BY event_id LIMIT CAST(:n AS int) FOR UPDATE SKIP LOCKED),
old AS (
  SELECT event_id FROM batch WHERE published_at < now() - CAST(:age AS float8) * interval '1 second'
    AND NOT EXISTS (SELECT FROM polling_delivery AS d WHERE d.event_id = batch.event_id)),
gone AS (DELETE FROM polling_outbox AS e USING old WHERE e.event_id = old.event_id RETURNING e.event_id),
keys AS (
  DELETE FROM polling_idempotency_key AS k USING gone, unnest(CAST(:scopes AS text[])) AS s(scope)
  WHERE k.scope = s.scope AND k.key = CAST(gone.event_id AS text))
SELECT event_id FROM gone""")


async def prune(database: Database, tables: Sequence[Table], settings: PollingSettings) -> int:
    """Delete what is past its retention; returns how many rows. Any number of processes may do it at once."""
    gone = 0
    try:
        for table in tables:
            gone += await _prune_tasks(database, table, settings)
        gone += await _prune_all(database, KEYS, {"age": settings.key_retention, "n": settings.prune_batch})
        scopes = [event_scope(table) for table in tables]
        events = {"age": settings.completed_retention, "n": settings.prune_batch, "scopes": scopes}
        gone += await _prune_all(database, EVENTS, events)
    except DatabaseUnavailableError as error:
        logger.warning("retention.interrupted", extra={"rows": gone, "error": str(error)})
    if gone:
        logger.info("retention.pruned", extra={"rows": gone})
    return gone


async def prunable(database: Database, tables: Sequence[Table], settings: PollingSettings) -> int:
    """Return how many task rows `prune` would delete now. Reads the whole tables; meant for people, not for loops."""
    count = 0
    for table in tables:
        values = {"completed": settings.completed_retention, "failed": settings.failed_retention}
        count += (await database.rows(statement(COUNT, task_names(table), {"old": OLD}), values))[0].old
    return count


async def _prune_all(database: Database, pruned: TextClause, values: Mapping[str, object]) -> int:
    gone = 0
    while batch := len(await database.rows(pruned, values)):
        gone += batch
        await asyncio.sleep(PAUSE_S)
    return gone


async def _prune_tasks(database: Database, table: Table, settings: PollingSettings) -> int:
    walk = statement(TASKS, task_names(table), {"old": OLD})
    gone, after, more = 0, 0, True
    while more:
        values = {
            "after": after,
            "n": settings.prune_batch,
            "completed": settings.completed_retention,
            "failed": settings.failed_retention,
        }
        row = (await database.rows(walk, values))[0]
        gone, after, more = gone + row.gone, row.last, row.more  # `last` is NULL only when nothing is `more`
        await asyncio.sleep(PAUSE_S)
    return gone
