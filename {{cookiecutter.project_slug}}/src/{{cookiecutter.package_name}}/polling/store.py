"""One task table as the poller sees it: claim, renew, settle, each one statement and one commit."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import Table

from . import statements
from .api import ClaimedTask, JsonObject
from .database import Database
from .driver import DriverStatement
from .identifiers import statement, task_names
from .settings import PollingSettings
from .settlement import TOO_LATE, Settlement

Pair = tuple[int, int]
"""Task id and claim number: what fences a write."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claimed row, and what its claim found."""

    task: ClaimedTask
    late_s: float
    taken_over: bool


class TaskStore:
    """Statements on one task table, prepared once."""

    def __init__(self, database: Database, table: Table, settings: PollingSettings, worker: str) -> None:
        names = task_names(table)
        self.task = str(table.info["task"])
        self._aggregate = str(table.info["aggregate"])
        self._database = database
        self._settings = settings
        self._worker = worker
        self._claim = DriverStatement.of(statement(statements.CLAIM, names))
        self._next_due = statement(statements.NEXT_DUE, names)
        self._complete = DriverStatement.of(statement(statements.COMPLETE, names))
        self._settle = DriverStatement.of(statement(statements.SETTLE, names))
        self._renew = statement(statements.RENEW, names)
        self._bring_forward = statement(statements.BRING_FORWARD, names)

    async def claim(self, n: int) -> list[Claimed]:
        """Lease up to `n` due rows to this worker, the longest due first.

        Raises:
            DatabaseUnavailableError: claimed or not is unknown; what was claimed comes back when its lease ends.
        """
        values = {"n": n, "worker": self._worker, "lease": self._settings.lease, "task": self.task}
        rows = await self._database.records(self._claim, values)
        task = self.task
        return [
            Claimed(
                ClaimedTask(
                    row[0], task, row[1], row[2], _payload(row[3]), row[4], row[5], row[6], row[7], row[8], row[9]
                ),
                row[10],
                row[11],
            )
            for row in rows
        ]

    async def next_due_in_s(self) -> float | None:
        """Return the seconds until a row is due, at most 0 if one is, None without open rows."""
        wait_s: float | None = (await self._database.rows(self._next_due, {"task": self.task}))[0].wait_s
        return wait_s

    async def settle(self, batch: Sequence[Settlement]) -> Mapping[int, str]:
        """Write outcomes, each with its event; returns the new status by task id. What is missing was fenced.

        Raises:
            DatabaseUnavailableError: written or not is unknown; writing it again is safe.
        """
        done = sorted((s.task_id, s.claim_no) for s in batch if s.kind == "completed")
        others = sorted((s for s in batch if s.kind != "completed"), key=lambda s: s.task_id)
        written: dict[int, str] = {}
        if done:
            values = self._pairs(done) | {"topic": f"{self.task}.completed"}
            written = {row[0]: "COMPLETED" for row in await self._database.records(self._complete, values)}
        if others:
            written |= {row[0]: row[1] for row in await self._database.records(self._settle, self._columns(others))}
        return written

    def _pairs(self, pairs: Iterable[Pair]) -> dict[str, Any]:
        task_ids, claim_nos = zip(*pairs, strict=True)
        return {
            "task_ids": list(task_ids),
            "claim_nos": list(claim_nos),
            "task": self.task,
            "aggregate": self._aggregate,
        }

    def _columns(self, batch: Sequence[Settlement]) -> dict[str, Any]:
        return self._pairs((s.task_id, s.claim_no) for s in batch) | {
            "kinds": [s.kind for s in batch],
            "delays": [s.delay_s for s in batch],
            "errors": [s.error for s in batch],
            "external_ids": [s.external_id for s in batch],
            "max_attempts": self._settings.max_attempts,
            "deadline": self._settings.deadline,
            "too_late": TOO_LATE,
        }

    async def renew(self, held: Iterable[Pair]) -> Mapping[int, bool]:
        """Extend leases; by task id, whether it was extended. What is missing is no longer this worker's."""
        values = self._pairs(sorted(held)) | {"lease": self._settings.lease}
        return {row[0]: row[1] for row in await self._database.rows(self._renew, values)}

    async def bring_forward(self, retried: Iterable[Pair]) -> int:
        """Make rows due that wait for an outage which is over; returns how many."""
        return len(await self._database.rows(self._bring_forward, self._pairs(sorted(retried))))


def _payload(text: str | None) -> JsonObject:
    """Read a payload; an erased one is empty."""
    try:
        value: JsonObject = orjson.loads(text or "{}")
    except orjson.JSONDecodeError:  # jsonb holds numbers that orjson refuses, if somebody else stored them
        value = json.loads(text or "{}")
    return value
