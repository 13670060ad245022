"""Queueing a further task of something that was accepted before; at most one such task is open at a time.

The partial unique index on the aggregate's id is what keeps it to one; a request that finds it taken gets the open
one's answer, and its key is recorded with it. An event that queues the task has a key, too: its own id, in a scope that
no client reaches, and kept as long as the event.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from sqlalchemy import Row, Table

from .acceptance import KEEP_KEY, ROUNDS
from .api import Accepted, Event
from .backlog import Backlog
from .database import Database
from .errors import BacklogFullError, DatabaseUnavailableError, KeyReusedError
from .identifiers import aggregate_names, statement, task_names
from .payload import fingerprint
from .settings import PollingSettings
from .tracing import current_traceparent
from .unavailable import RETRY_AFTER_S

Answer = Row[*tuple[Any, ...]]


class _KeyTakenError(Exception):
    """A parallel request has the key; undo, and read its record."""


QUEUE = """
WITH a AS MATERIALIZED (
  SELECT $aggregate_id AS aggregate_id, payload FROM $aggregate_table
  WHERE $aggregate_id = CAST(:aggregate_id AS bigint)),
r AS MATERIALIZED (
  SELECT aggregate_id, task_id, fingerprint FROM polling_idempotency_key
  WHERE scope = CAST(:scope AS text) AND key = CAST(:key AS text)
    AND created_at > now() - CAST(:retention AS float8) * interval '1 second'),
t AS (
  INSERT INTO $task_table ($owner, payload, traceparent)
  SELECT aggregate_id, payload, CAST(:traceparent AS text) FROM a
  WHERE CAST(:admitted AS boolean) AND NOT EXISTS (SELECT FROM r)
    AND NOT EXISTS (SELECT FROM $task_table AS x WHERE x.$owner = a.aggregate_id AND x.$open)
  ON CONFLICT ($owner) WHERE $open DO NOTHING
  RETURNING task_id),
o AS MATERIALIZED (
  SELECT task_id FROM t
  UNION ALL
  SELECT x.task_id FROM $task_table AS x JOIN a ON x.$owner = a.aggregate_id
  WHERE x.$open AND NOT EXISTS (SELECT FROM r)),
k AS (
  INSERT INTO polling_idempotency_key (scope, key, fingerprint, aggregate_id, task_id, created_at)
  SELECT CAST(:scope AS text), CAST(:key AS text), CAST(:fingerprint AS text), CAST(:aggregate_id AS bigint), task_id,
    CASE WHEN CAST(:ages AS boolean) THEN now() ELSE 'infinity' END
  FROM o WHERE CAST(:key AS text) IS NOT NULL
  $keep_key
  RETURNING task_id)
SELECT EXISTS (SELECT FROM a) AS known, (SELECT task_id FROM o) AS task_id, EXISTS (SELECT FROM k) AS key_kept,
  (SELECT aggregate_id FROM r) AS recorded_aggregate_id, (SELECT task_id FROM r) AS recorded_task_id,
  (SELECT fingerprint FROM r) AS recorded_fingerprint"""


def event_scope(task: Table) -> str:
    """Return the scope of the keys under which events queue a task."""
    return f"event:{task.info['task']}"


class FurtherTask:
    """Queues tasks of one table for aggregates that exist."""

    def __init__(self, database: Database, aggregate: Table, task: Table, settings: PollingSettings) -> None:
        self._database = database
        self._settings = settings
        self._scope = f"task:{task.info['task']}"
        self._event_scope = event_scope(task)
        self._backlog = Backlog(database, task, settings.backlog_cap)
        self._statement = statement(QUEUE, aggregate_names(aggregate), task_names(task), {"keep_key": KEEP_KEY})

    async def queue(self, aggregate_id: int, key: str | None = None) -> Accepted | None:
        """Queue the task, or return the one that is open or was recorded under `key`; None without such an aggregate.

        Raises:
            KeyReusedError: the key came with another aggregate before.
            BacklogFullError: too much is waiting already.
            DatabaseUnavailableError: with a key it is safe to ask again.
        """
        return await self._queue(aggregate_id, {"scope": self._scope, "key": key, "ages": True})

    async def follow(self, event: Event) -> Accepted | None:
        """Queue the task for the event's aggregate, once, however often the event comes and however late.

        The task that it queued may have ended long ago, and is the answer all the same.

        Raises:
            BacklogFullError: too much is waiting already.
            DatabaseUnavailableError: it is safe to try again.
        """
        key = {"scope": self._event_scope, "key": str(event.event_id), "ages": False}
        return await self._queue(event.aggregate_id, key)

    async def _queue(self, aggregate_id: int, key: Mapping[str, Any]) -> Accepted | None:
        full: BacklogFullError | None = None
        try:
            await self._backlog.admit()
        except BacklogFullError as error:
            full = error
        values = {
            "aggregate_id": aggregate_id,
            "fingerprint": fingerprint({"aggregate_id": aggregate_id}),
            "retention": self._settings.key_retention,
            "traceparent": current_traceparent(),
            "admitted": full is None,
            **key,
        }
        run: Callable[[Mapping[str, Any]], Awaitable[Answer]] = self._plain if key["key"] is None else self._keyed
        for _ in range(ROUNDS):
            try:
                answer = await run(values)
            except _KeyTakenError:
                continue
            if answer.recorded_fingerprint is not None:
                if answer.recorded_fingerprint != values["fingerprint"]:
                    raise KeyReusedError
                return Accepted(answer.recorded_aggregate_id, answer.recorded_task_id)
            if answer.task_id is not None:
                return Accepted(aggregate_id, answer.task_id)
            if not answer.known:
                return None
            if full is not None:
                raise full
            # Neither inserted nor seen: a parallel request has just committed it. The next statement sees it.
        raise DatabaseUnavailableError(retry_after_s=RETRY_AFTER_S)

    async def _plain(self, values: Mapping[str, Any]) -> Answer:
        return (await self._database.rows(self._statement, values))[0]

    async def _keyed(self, values: Mapping[str, Any]) -> Answer:
        async with self._database.transaction() as connection:
            answer = (await connection.execute(self._statement, values)).one()
            if answer.task_id is not None and not answer.key_kept:
                raise _KeyTakenError
        return answer
