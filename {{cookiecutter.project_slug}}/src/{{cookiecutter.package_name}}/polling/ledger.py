"""The rows of one task that this process holds, from claim to written outcome.

Outcomes gather while a batch is being written and go out with the next one, as in a group commit: batches grow with
the load and cost an idle queue nothing.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Table
from sqlalchemy.exc import SQLAlchemyError

from .api import ClaimedTask, Outcome, TaskHandler
from .errors import DatabaseUnavailableError
from .metrics import TaskMetrics
from .settlement import Settlement, chance
from .store import Claimed, TaskStore

logger = logging.getLogger(__name__)

TRUSTED_RATIO = 0.9
"""Of a lease, counted from before it was asked for: the local clock may stop work early, never late."""

WRITE_RETRY_S = (0.05, 1.0)
"""First and longest wait before an outcome is written again: the lease runs meanwhile."""

JOINING_TURNS = 3
"""Turns of the event loop that a write waits for calls which end together: one statement instead of two."""

WRITE_ROWS = (50, 100)
"""Rows in one statement, at most: half of the concurrency within these bounds. One half is written while the other runs;
below the first a statement costs more than its rows, above the second nothing is gained."""

ENDED = ("COMPLETED", "FAILED")
"""What stores an event."""

OUTCOME_OF = {
    "completed": "completed",
    "submitted": "submitted",
    "pending": "pending",
    "burned": "retried",
    "refused": "retried",
    "rejected": "failed",
    "failed": "failed",
    "released": "released",
}


@dataclass(frozen=True, slots=True)
class Lane:
    """One task of a poller: its table and what runs its rows."""

    task: str
    table: Table
    handler: TaskHandler


@dataclass(slots=True, eq=False)
class Held:
    """A row in hand."""

    task: ClaimedTask
    ledger: "Ledger"
    trusted_until: float
    started_at: float = 0.0
    running: asyncio.Task[Outcome] | None = None
    is_trial: bool = False
    is_lost: bool = False
    is_recorded: bool = False

    @property
    def is_submission(self) -> bool:
        """Whether something was sent that a crash would send again; asking for a status does not count."""
        return self.started_at > 0 and self.task.external_id is None

    def lose(self) -> None:
        """Stop: the row is somebody else's."""
        self.is_lost = True
        if self.running is not None:
            self.running.cancel()


def half_of(concurrency: int) -> int:
    """Return how many rows are started, and written, together."""
    fewest, most = WRITE_ROWS
    return min(max(concurrency // 2, fewest), most)


class Ledger:
    """Knows what is held, writes what became of it, and when to look for more."""

    def __init__(
        self, lane: Lane, store: TaskStore, lease_s: float, concurrency: int, written: Callable[[int], None]
    ) -> None:
        self.task = lane.task
        self.handler = lane.handler
        self.store = store
        self.metrics = TaskMetrics(lane.task)
        self.held: dict[int, Held] = {}
        self.metrics.in_flight.set_function(lambda: len(self.held))
        self.woken = True
        self.due_at = 0.0
        self.look_ahead = False
        self.unwritten = 0
        self._lease_s = lease_s
        self._write_rows = half_of(concurrency)
        self._written = written
        self._outcomes: list[tuple[Held, Settlement]] = []
        self._recorded = asyncio.Event()

    def ready(self, now: float) -> bool:
        """Say whether a claim may find something."""
        return self.woken or now >= self.due_at

    def trust(self, asked_at: float) -> float:
        """Return until when a lease that was asked for at `asked_at` may be relied on."""
        return asked_at + self._lease_s * TRUSTED_RATIO

    def take(self, claimed: Sequence[Claimed], asked_at: float) -> list[Held]:
        """Hold claimed rows."""
        until = self.trust(asked_at)
        taken = [Held(row.task, self, until) for row in claimed]
        for row, held in zip(claimed, taken, strict=True):
            if (earlier := self.held.get(row.task.task_id)) is not None:
                earlier.lose()  # the lease ran out while its call went on here, or waited
            self.held[row.task.task_id] = held
            self.metrics.pickup.observe(max(0.0, row.late_s))
            if row.taken_over:
                self.metrics.lease_expired.inc()
                logger.warning("lease.taken_over", extra={"task": self.task, "task_id": row.task.task_id})
        return taken

    def record(self, held: Held, settlement: Settlement) -> None:
        """Have an outcome written with the next batch; the row is held until then."""
        held.is_recorded = True
        self.unwritten += held.is_submission
        self._outcomes.append((held, settlement))
        self._recorded.set()

    def drop(self, held: Held) -> None:
        """Let go of a row whose lease is lost: it is somebody else's, and nothing may be written."""
        self._forget(held, "fenced")
        self.metrics.fenced.inc()
        logger.warning("lease.lost", extra={"task": self.task, "task_id": held.task.task_id})

    async def write_forever(self) -> None:
        """Write what is recorded."""
        while True:
            await self._recorded.wait()
            for _ in range(JOINING_TURNS):
                if len(self._outcomes) < self._write_rows:
                    await asyncio.sleep(0)
            batch, self._outcomes = self._outcomes[: self._write_rows], self._outcomes[self._write_rows :]
            if not self._outcomes:
                self._recorded.clear()
            await self._write(batch)

    async def _write(self, batch: Sequence[tuple[Held, Settlement]]) -> None:
        wait_s, longest_s = WRITE_RETRY_S
        while True:
            try:
                written = await self.store.settle([settlement for _, settlement in batch])
                break
            except DatabaseUnavailableError as error:
                facts = {"task": self.task, "rows": len(batch), "error": str(error)}
                logger.warning("task.settle_delayed", extra=facts)
                await asyncio.sleep(chance.uniform(wait_s / 2, wait_s))
                wait_s = min(wait_s * 2, longest_s)
            except SQLAlchemyError:
                if len(batch) > 1:  # one value that the database refuses must not keep the others
                    for one in batch:
                        await self._write([one])
                    return
                logger.exception("task.settle_refused", extra={"task": self.task})
                self._forget(batch[0][0], "released")  # its lease ends, and the poison rule counts
                self._written(0)
                return
        now = time.monotonic()
        for held, settlement in batch:
            self._close(held, settlement, written.get(settlement.task_id), now)
        self._written(sum(status in ENDED for status in written.values()))

    def _close(self, held: Held, settlement: Settlement, status: str | None, now: float) -> None:
        kind = settlement.kind
        if status is None or held.is_lost:  # lost, and written: by a later claim of this row in the same batch
            self.drop(held)
            return
        outcome = "failed" if status == "FAILED" else OUTCOME_OF[kind]
        self._forget(held, outcome)
        if status in ("PENDING", "IN_PROGRESS"):
            self.due_at = min(self.due_at, now + settlement.delay_s)
            if kind in self.metrics.retries:
                self.metrics.retries[kind].inc()
        level = logging.INFO if outcome != "failed" else logging.WARNING if kind == "rejected" else logging.ERROR
        if logger.isEnabledFor(level):
            facts = {"task": self.task, "task_id": held.task.task_id, "attempt": held.task.claim_no}
            logger.log(level, f"task.{outcome}", extra=facts | {"reason": settlement.error})

    def _forget(self, held: Held, outcome: str) -> None:
        if self.held.get(held.task.task_id) is held:  # and not a later claim of the same row
            del self.held[held.task.task_id]
        if held.is_recorded:
            self.unwritten -= held.is_submission
        self.metrics.duration[outcome].observe(time.monotonic() - held.started_at if held.started_at else 0.0)

    async def renew(self) -> None:
        """Extend all leases; a handler whose row was lost is cancelled, for somebody else acts already.

        Raises:
            DatabaseUnavailableError: nothing is known; the leases may still hold.
        """
        if not self.held:
            return
        asked_at = time.monotonic()
        asked = dict(self.held)
        answer = await self.store.renew((held.task.task_id, held.task.claim_no) for held in asked.values())
        for task_id, held in asked.items():
            if held.is_recorded or self.held.get(task_id) is not held:
                continue
            renewed = answer.get(task_id)
            if renewed:
                held.trusted_until = self.trust(asked_at)
            elif renewed is None:
                held.lose()
