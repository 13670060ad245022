"""The gauges that need the database, read in a loop of their own: a scrape never waits for a query."""

import asyncio
import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Row, Table, text
from sqlalchemy.exc import SQLAlchemyError

from . import metrics
from .api import ENDINGS
from .database import Database
from .errors import DatabaseUnavailableError
from .identifiers import statement, task_names
from .settings import PollingSettings

logger = logging.getLogger(__name__)

# Both parts run through partial indexes; COMPLETED is not counted, for that would read the whole table.
TASK = """
SELECT count(*) FILTER (WHERE status = 'PENDING') AS pending,
  count(*) FILTER (WHERE status = 'IN_PROGRESS') AS in_progress,
  (SELECT count(*) FROM $task_table WHERE status = 'FAILED') AS failed,
  count(*) FILTER (WHERE next_attempt_at <= now()) AS due,
  CAST(coalesce(extract(epoch FROM now() - min(next_attempt_at) FILTER (WHERE next_attempt_at <= now())), 0) AS float8)
    AS oldest_s
FROM $task_table WHERE $open
"""

OUTBOX = text("""
SELECT topic, count(*) AS unpublished, CAST(extract(epoch FROM now() - min(created_at)) AS float8) AS oldest_s
FROM (SELECT topic, created_at FROM polling_outbox WHERE published_at IS NULL
  UNION ALL SELECT e.topic, e.created_at FROM polling_delivery AS d JOIN polling_outbox AS e USING (event_id)) AS w
GROUP BY topic""")


async def task_statistics(database: Database, table: Table) -> dict[str, int | float]:
    """Return counts by status, rows due, and the age of the oldest due row in seconds.

    Raises:
        DatabaseUnavailableError: they could not be read.
    """
    return _by_name((await database.rows(statement(TASK, task_names(table))))[0])


def _by_name(row: Row[*tuple[Any, ...]]) -> dict[str, int | float]:
    return {str(name): value for name, value in row._mapping.items()}


class TaskStats:
    """Reads counts and ages; while the database is away the gauges are gone and the timestamp grows old."""

    def __init__(self, database: Database, tables: Sequence[Table], settings: PollingSettings | None = None) -> None:
        self._database = database
        self._settings = settings or PollingSettings()
        self._statements = {str(table.info["task"]): statement(TASK, task_names(table)) for table in tables}
        self._topics = [f"{task}.{ending}" for task in self._statements for ending in ENDINGS]
        for task in self._statements:
            metrics.DUE_OBJECTIVE.labels(task).set(self._settings.due_age_objective)
        for topic in self._topics:
            metrics.OUTBOX_OBJECTIVE.labels(topic).set(self._settings.outbox_age_objective)
        metrics.STATS_AT.set(0)

    async def run(self) -> None:
        """Read until cancelled."""
        while True:
            try:
                await self.read()
            except (DatabaseUnavailableError, SQLAlchemyError) as error:
                logger.warning("stats.read_failed", extra={"error": str(error)})
                self._forget()
            await asyncio.sleep(self._settings.stats_interval)

    async def read(self) -> None:
        """Read once."""
        for task, counted in self._statements.items():
            row = (await self._database.rows(counted))[0]
            metrics.COUNT.labels(task, "PENDING").set(row.pending)
            metrics.COUNT.labels(task, "IN_PROGRESS").set(row.in_progress)
            metrics.COUNT.labels(task, "FAILED").set(row.failed)
            metrics.DUE.labels(task).set(row.due)
            metrics.OLDEST_DUE.labels(task).set(row.oldest_s)
        waiting = {row.topic: row for row in await self._database.rows(OUTBOX)}
        for topic in self._topics:
            row_of = waiting.get(topic)
            metrics.UNPUBLISHED.labels(topic).set(row_of.unpublished if row_of else 0)
            metrics.OLDEST_UNPUBLISHED.labels(topic).set(row_of.oldest_s if row_of else 0)
        metrics.STATS_AT.set(time.time())

    def _forget(self) -> None:
        """No value is better than an old one that looks alive."""
        for gauge in (metrics.COUNT, metrics.DUE, metrics.OLDEST_DUE, metrics.UNPUBLISHED, metrics.OLDEST_UNPUBLISHED):
            with suppress(KeyError):
                gauge.clear()
