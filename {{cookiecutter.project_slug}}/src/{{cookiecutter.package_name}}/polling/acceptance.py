"""Taking work in: aggregate, task and idempotency record in one statement, so in one commit or not at all.

Two parallel requests with one key meet in the primary key of `polling_idempotency_key`: the second waits for the
first's commit, stores nothing and reads the record.
"""

from typing import Any

from sqlalchemy import Table, text

from .api import Accepted, JsonObject
from .backlog import Backlog
from .database import Database
from .driver import DriverStatement, Records
from .errors import BacklogFullError, DatabaseUnavailableError, KeyReusedError
from .identifiers import aggregate_names, statement, task_names
from .payload import fingerprint, stored
from .settings import PollingSettings
from .tables import aggregate_name, id_column
from .tracing import current_traceparent
from .unavailable import RETRY_AFTER_S

ROUNDS = 5
"""A record that is in the way and gone when read (expired, pruned) is tried again; twice in a row is rare already."""

RECORDED = DriverStatement.of(
    text("""
SELECT aggregate_id, task_id, fingerprint FROM polling_idempotency_key
WHERE scope = CAST(:scope AS text) AND key = CAST(:key AS text)
  AND created_at > now() - CAST(:retention AS float8) * interval '1 second'""")
)

KEEP_KEY = """ON CONFLICT (scope, key) DO UPDATE SET fingerprint = excluded.fingerprint,
    aggregate_id = excluded.aggregate_id, task_id = excluded.task_id, created_at = excluded.created_at
  WHERE polling_idempotency_key.created_at <= now() - CAST(:retention AS float8) * interval '1 second'"""
"""An expired record is as good as none, whether or not it was pruned."""


PLAIN = """
WITH a AS (
  INSERT INTO $aggregate_table (payload) VALUES (CAST(:payload AS jsonb)) RETURNING $aggregate_id),
t AS (
  INSERT INTO $task_table ($owner, payload, traceparent)
  SELECT $aggregate_id, CAST(:payload AS jsonb), CAST(:traceparent AS text) FROM a
  RETURNING $owner AS aggregate_id, task_id)
SELECT aggregate_id, task_id FROM t"""

KEYED = """
WITH r AS MATERIALIZED (
  SELECT aggregate_id, task_id, fingerprint FROM polling_idempotency_key
  WHERE scope = CAST(:scope AS text) AND key = CAST(:key AS text)
    AND created_at > now() - CAST(:retention AS float8) * interval '1 second'),
ids AS MATERIALIZED (
  SELECT nextval(CAST(:aggregate_ids AS regclass)) AS aggregate_id, nextval(CAST(:task_ids AS regclass)) AS task_id
  WHERE NOT EXISTS (SELECT FROM r)),
k AS (
  INSERT INTO polling_idempotency_key (scope, key, fingerprint, aggregate_id, task_id)
  SELECT CAST(:scope AS text), CAST(:key AS text), CAST(:fingerprint AS text), aggregate_id, task_id FROM ids
  $keep_key
  RETURNING aggregate_id, task_id),
a AS (
  INSERT INTO $aggregate_table ($aggregate_id, payload) OVERRIDING SYSTEM VALUE
  SELECT aggregate_id, CAST(:payload AS jsonb) FROM k),
t AS (
  INSERT INTO $task_table (task_id, $owner, payload, traceparent) OVERRIDING SYSTEM VALUE
  SELECT task_id, aggregate_id, CAST(:payload AS jsonb), CAST(:traceparent AS text) FROM k)
SELECT aggregate_id, task_id, CAST(:fingerprint AS text) AS fingerprint FROM k
UNION ALL SELECT aggregate_id, task_id, fingerprint FROM r"""

SEQUENCES = text("""
SELECT pg_get_serial_sequence(CAST(:aggregate AS text), CAST(:id AS text)) AS aggregate_ids,
  pg_get_serial_sequence(CAST(:task AS text), 'task_id') AS task_ids""")
"""The names of identity sequences are PostgreSQL's own; they are asked for once."""


class Acceptance:
    """Stores new aggregates of one table, each with its first task (R-RES-ASYNC-1, R-RES-FB-1)."""

    def __init__(self, database: Database, aggregate: Table, task: Table, settings: PollingSettings) -> None:
        names = aggregate_names(aggregate) | task_names(task) | {"keep_key": KEEP_KEY}
        self._database = database
        self._settings = settings
        self._scope = f"aggregate:{aggregate_name(aggregate)}"
        self._backlog = Backlog(database, task, settings.backlog_cap)
        self._plain = DriverStatement.of(statement(PLAIN, names))
        self._keyed = DriverStatement.of(statement(KEYED, names))
        self._sequences_of = {
            "aggregate": names["aggregate_table"],
            "id": id_column(aggregate),
            "task": names["task_table"],
        }
        self._sequences: dict[Any, Any] | None = None

    async def accept(self, payload: JsonObject, key: str | None = None) -> Accepted:
        """Store `payload` under the client's idempotency `key`; the same key and payload give the same answer again.

        Raises:
            PayloadError: it cannot be stored.
            KeyReusedError: the key came with another payload before.
            BacklogFullError: too much is waiting already.
            DatabaseUnavailableError: stored or not is unknown; with a key it is safe to ask again.
        """
        values: dict[str, Any] = {
            "payload": stored(payload, self._settings),
            "traceparent": current_traceparent(),
        }
        if key is None:
            await self._backlog.admit()
            row = (await self._database.records(self._plain, values))[0]
            return Accepted(row["aggregate_id"], row["task_id"])
        return await self._accept_keyed(values, fingerprint(payload), key)

    async def _accept_keyed(self, values: dict[str, Any], digest: str, key: str) -> Accepted:
        record = {"scope": self._scope, "key": key, "retention": self._settings.key_retention}
        try:
            await self._backlog.admit()
        except BacklogFullError:
            # What was accepted once is answered as before, whatever waits now.
            earlier = _answer(await self._database.records(RECORDED, record), digest)
            if earlier is None:
                raise
            return earlier
        if self._sequences is None:
            self._sequences = dict((await self._database.rows(SEQUENCES, self._sequences_of))[0]._mapping)
        values |= {**record, **self._sequences, "fingerprint": digest}
        for _ in range(ROUNDS):
            # No row at all: a parallel request has just committed the record. The next statement sees it.
            if answer := _answer(await self._database.records(self._keyed, values), digest):
                return answer
        raise DatabaseUnavailableError(retry_after_s=RETRY_AFTER_S)


def _answer(rows: Records, digest: str) -> Accepted | None:
    """Return what is stored under a key, None if nothing is.

    Raises:
        KeyReusedError: it was stored for another request.
    """
    for row in rows:
        if row["fingerprint"] != digest:
            raise KeyReusedError
        return Accepted(row["aggregate_id"], row["task_id"])
    return None
