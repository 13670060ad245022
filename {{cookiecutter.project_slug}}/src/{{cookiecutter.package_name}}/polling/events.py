"""The statements of the outbox: events leave it in order per aggregate, and none is dropped.

An event is claimed only while no earlier one of its aggregate is unpublished, so two processes cannot swap two events.
Publishing means that every handler has it, or has a row in `polling_delivery` for what it owes. Such rows are delivered
in order per handler and aggregate; other aggregates and other handlers go on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import text

from .api import Event
from .database import Database

CLAIM_EVENTS = text("""
WITH due AS MATERIALIZED (
  SELECT event_id FROM polling_outbox AS e
  WHERE published_at IS NULL AND (claimed_until IS NULL OR claimed_until <= now())
    AND NOT EXISTS (SELECT FROM polling_outbox AS earlier
      WHERE earlier.published_at IS NULL AND earlier.aggregate = e.aggregate
        AND earlier.aggregate_id = e.aggregate_id AND earlier.event_id < e.event_id)
  ORDER BY event_id LIMIT CAST(:n AS int) FOR UPDATE SKIP LOCKED)
UPDATE polling_outbox AS e SET claim_no = claim_no + 1,
  claimed_until = now() + CAST(:lease AS float8) * interval '1 second'
FROM due WHERE e.event_id = due.event_id
RETURNING e.event_id, e.topic, e.task, e.task_id, e.aggregate_id, e.reason, e.created_at, e.claim_no,
  ARRAY(SELECT subscription FROM polling_delivery AS d
    WHERE d.aggregate = e.aggregate AND d.aggregate_id = e.aggregate_id) AS behind""")

PUBLISH = text("""
WITH d AS (
  SELECT * FROM unnest(CAST(:event_ids AS bigint[]), CAST(:claim_nos AS int[])) AS d(event_id, claim_no)),
u AS (
  UPDATE polling_outbox AS e SET published_at = now(), claimed_until = NULL FROM d
  WHERE e.event_id = d.event_id AND e.claim_no = d.claim_no AND e.published_at IS NULL
  RETURNING e.event_id, e.aggregate, e.aggregate_id),
o AS (
  INSERT INTO polling_delivery (event_id, subscription, aggregate, aggregate_id, attempts, last_error, next_attempt_at)
  SELECT u.event_id, w.subscription, u.aggregate, u.aggregate_id, w.attempts, w.error,
    now() + w.attempts * interval '1 second'
  FROM u JOIN unnest(CAST(:owed_ids AS bigint[]), CAST(:subscriptions AS text[]), CAST(:attempts AS int[]),
      CAST(:errors AS text[])) AS w(event_id, subscription, attempts, error) ON w.event_id = u.event_id
  ON CONFLICT DO NOTHING)
SELECT event_id FROM u""")

CLAIM_DELIVERIES = text("""
WITH due AS MATERIALIZED (
  SELECT subscription, event_id FROM polling_delivery AS d
  WHERE next_attempt_at <= now() AND subscription = ANY(CAST(:known AS text[]))
    AND NOT EXISTS (SELECT FROM polling_delivery AS earlier
      WHERE earlier.subscription = d.subscription AND earlier.aggregate = d.aggregate
        AND earlier.aggregate_id = d.aggregate_id AND earlier.event_id < d.event_id)
  ORDER BY next_attempt_at LIMIT CAST(:n AS int) FOR UPDATE SKIP LOCKED)
UPDATE polling_delivery AS d SET claim_no = d.claim_no + 1,
  next_attempt_at = now() + CAST(:lease AS float8) * interval '1 second'
FROM due JOIN polling_outbox AS e ON e.event_id = due.event_id
WHERE d.subscription = due.subscription AND d.event_id = due.event_id
RETURNING e.event_id, e.topic, e.task, e.task_id, e.aggregate_id, e.reason, e.created_at, d.claim_no, d.subscription,
  d.attempts""")

DELIVERED = text(
    """
DELETE FROM polling_delivery WHERE subscription = CAST(:subscription AS text) AND event_id = CAST(:event_id AS bigint)
  AND claim_no = CAST(:claim_no AS int)"""
    + " RETURNING event_id"
)

FAILED = text("""
UPDATE polling_delivery SET attempts = attempts + 1, last_error = CAST(:error AS text),
  next_attempt_at = now() + CAST(:delay AS float8) * interval '1 second'
WHERE subscription = CAST(:subscription AS text) AND event_id = CAST(:event_id AS bigint)
  AND claim_no = CAST(:claim_no AS int) RETURNING event_id""")


@dataclass(frozen=True, slots=True)
class ClaimedEvent:
    """An event that is this process's turn, and which handlers are still behind with its aggregate."""

    event: Event
    claim_no: int
    behind: frozenset[str]


@dataclass(frozen=True, slots=True)
class ClaimedDelivery:
    """An event that one handler still has to take."""

    event: Event
    claim_no: int
    subscription: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Owed:
    """What a handler did not take at the first try: it failed (one attempt), or it is behind (none)."""

    event_id: int
    subscription: str
    attempts: int
    error: str | None


class Outbox:
    """Claims, publishes and settles events; each one statement and one commit."""

    def __init__(self, database: Database, lease_s: float) -> None:
        self._database = database
        self._lease_s = lease_s

    async def claim(self, n: int) -> list[ClaimedEvent]:
        """Lease up to `n` events whose turn it is."""
        rows = await self._database.rows(CLAIM_EVENTS, {"n": n, "lease": self._lease_s})
        claimed = [ClaimedEvent(Event(*row[:7]), row[7], frozenset(row[8])) for row in rows]
        return sorted(claimed, key=lambda c: c.event.event_id)

    async def publish(self, claimed: Sequence[ClaimedEvent], owed: Sequence[Owed]) -> None:
        """Take events out of the outbox, and keep what handlers owe, in one statement."""
        values = {
            "event_ids": [c.event.event_id for c in claimed],
            "claim_nos": [c.claim_no for c in claimed],
            "owed_ids": [o.event_id for o in owed],
            "subscriptions": [o.subscription for o in owed],
            "attempts": [o.attempts for o in owed],
            "errors": [o.error for o in owed],
        }
        await self._database.rows(PUBLISH, values)

    async def claim_deliveries(self, known: Sequence[str], n: int) -> list[ClaimedDelivery]:
        """Lease up to `n` due deliveries to handlers that this process has."""
        values = {"known": list(known), "n": n, "lease": self._lease_s}
        rows = await self._database.rows(CLAIM_DELIVERIES, values)
        return [ClaimedDelivery(Event(*row[:7]), row[7], row[8], row[9]) for row in rows]

    async def delivered(self, claimed: ClaimedDelivery) -> None:
        """The handler has it."""
        await self._database.rows(DELIVERED, self._fence(claimed))

    async def failed(self, claimed: ClaimedDelivery, error: str, delay_s: float) -> None:
        """The handler failed once more."""
        await self._database.rows(FAILED, self._fence(claimed) | {"error": error, "delay": delay_s})

    def _fence(self, claimed: ClaimedDelivery) -> dict[str, object]:
        return {
            "subscription": claimed.subscription,
            "event_id": claimed.event.event_id,
            "claim_no": claimed.claim_no,
        }
