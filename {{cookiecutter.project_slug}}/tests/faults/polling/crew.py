"""Worker processes of a suite, and what they leave behind."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from {{ cookiecutter.package_name }}.polling.api import DatabaseUnavailableError
from {{ cookiecutter.package_name }}.polling.database import Database

from tests.faults.polling.provider import Provider
from tests.faults.polling.worker import Orders
from tests.integration.polling.workshop import execute

ROOT = Path(__file__).resolve().parents[3]
EVIDENCE = ROOT / "build" / "faults" / "polling"
LIMIT_S = 120.0
PAUSE_S = 0.05
SENT_ALREADY_S = 0.02
"""What a process had sent to the database when it was stopped takes some milliseconds to be done."""

CALL_S = 0.12
"""One call where processes die: so long that a submission counts as in flight until its outcome is written."""

OPEN = ("PENDING", "IN_PROGRESS")
"""What a claimed row may be: not yet accepted by the provider, or waiting for its result."""

ENQUEUE = """
WITH t AS (INSERT INTO orders (payload) SELECT '{}' FROM generate_series(1, CAST(:n AS int)) RETURNING order_id)
INSERT INTO order_confirmation_task (order_id, payload) SELECT order_id, '{}' FROM t RETURNING task_id"""

CREATE_EVERY_TASK = """CREATE OR REPLACE VIEW every_task AS
SELECT * FROM order_confirmation_task UNION ALL SELECT * FROM order_receipt_task"""

NAMED = "SELECT count(*) AS n FROM every_task WHERE claimed_by LIKE '%:' || CAST(:pid AS text) || ':%'"

HELD = """
SELECT coalesce(array_agg(CAST(idempotency_key AS text)), CAST(ARRAY[] AS text[])) AS keys FROM every_task
WHERE claimed_by LIKE '%:' || CAST(:pid AS text) || ':%' AND next_attempt_at > now()
  AND status = ANY(CAST(:statuses AS text[]))"""

HELD_SINCE_BEFORE_THE_START = """
SELECT coalesce(array_agg(CAST(idempotency_key AS text)), CAST(ARRAY[] AS text[])) AS keys FROM every_task
WHERE claimed_by IS NOT NULL AND updated_at < pg_postmaster_start_time()"""

RESULT = """
SELECT count(*) AS tasks, count(*) FILTER (WHERE status = 'COMPLETED') AS completed,
  count(*) FILTER (WHERE status = 'FAILED') AS failed, coalesce(sum(retry_count), 0) AS burned,
  coalesce(sum(claim_no), 0) AS claims,
  (SELECT count(*) FROM polling_outbox) AS events,
  (SELECT count(DISTINCT (task, task_id)) FROM polling_outbox WHERE topic LIKE '%.completed') AS tasks_with_event,
  (SELECT count(DISTINCT event_id) FROM witness) AS events_seen
FROM every_task"""


@dataclass(slots=True)
class Blow:
    """One thing that a suite did to a worker, and what it met."""

    at: float
    keys: frozenset[str]
    """Of the rows that the victims had claimed at that moment."""
    victims: int
    repeated: int = 0
    """Calls that went out again because of it."""


class Worker:
    """One process."""

    def __init__(self, orders: Orders) -> None:
        self.report = Path(orders.report)
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "tests.faults.polling.worker", orders.line()],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(["src", ".", *sys.path])},
        )

    @property
    def pid(self) -> int:
        """Its number, which is part of `claimed_by`."""
        return self.process.pid

    def signal(self, number: signal.Signals) -> None:
        """Send a signal."""
        self.process.send_signal(number)

    def kill(self) -> None:
        """End it at once, as the kernel would when memory is gone."""
        self.process.kill()
        self.process.wait()

    async def stop(self) -> int:
        """End it in order; returns its exit code."""
        self.process.terminate()
        return await asyncio.to_thread(self.process.wait, LIMIT_S)

    def counted(self) -> Mapping[str, float]:
        """What it reported last."""
        try:
            found: dict[str, float] = json.loads(self.report.read_text())
        except FileNotFoundError:
            return {}
        return found


class Crew:
    """Starts workers, feeds them, waits for them, and adds up."""

    def __init__(self, suite: str, database: Database, provider: Provider, orders: Orders, folder: Path) -> None:
        self.suite = suite
        self.seed = int(os.environ.get("FAULT_SEED", random.randrange(2**32)))
        self.random = random.Random(self.seed)
        self.database = database
        self.provider = provider
        self.orders = orders
        self.workers: list[Worker] = []
        self.blows: list[Blow] = []
        self._folder = folder
        self._started = time.monotonic()

    def start(self, **orders: Any) -> Worker:
        """Start one more worker, which may have orders of its own."""
        report = str(self._folder / f"{len(self.workers)}.json")
        worker = Worker(replace(self.orders, report=report, **orders))
        self.workers.append(worker)
        return worker

    async def enqueue(self, n: int) -> None:
        """Queue tasks."""
        await self.ask(ENQUEUE, n=n)

    async def ask(self, sql: str, **values: object) -> Any:
        """Return the first row of a statement, as soon as the database answers."""
        give_up = time.monotonic() + LIMIT_S
        while True:
            try:
                return (await execute(self.database, sql, **values))[0]
            except DatabaseUnavailableError:
                if time.monotonic() > give_up:
                    raise
                await asyncio.sleep(PAUSE_S)

    async def held_by(self, worker: Worker | int, *statuses: str) -> frozenset[str]:
        """Return the keys of the rows that a worker (or the one of this number) holds right now."""
        pid = worker if isinstance(worker, int) else worker.pid
        return frozenset((await self.ask(HELD, pid=str(pid), statuses=list(statuses or OPEN))).keys)

    async def until_it_holds(self, worker: Worker, at_least: int = 1, *statuses: str) -> None:
        """Wait until a worker is in the middle of a batch."""
        give_up = time.monotonic() + LIMIT_S
        while len(await self.held_by(worker, *statuses)) < at_least:
            assert worker.process.poll() is None, "the worker ended"
            assert time.monotonic() < give_up, "the worker claims nothing"
            await asyncio.sleep(0.005)

    async def until_all_was_taken_from(self, worker: Worker) -> None:
        """Wait until no row is in a worker's name any more."""
        await self.until(NAMED, lambda row: row.n == 0, pid=str(worker.pid))

    async def until_it_runs(self, worker: Worker) -> None:
        """Wait until a worker is past its start."""
        give_up = time.monotonic() + LIMIT_S
        while not worker.counted():
            assert time.monotonic() < give_up, "the worker does not start"
            await asyncio.sleep(PAUSE_S)

    async def until(self, sql: str, holds: Callable[[Any], bool], **values: object) -> Any:
        """Ask again and again until the first row is as it should be, and return it."""
        give_up = time.monotonic() + LIMIT_S
        while not holds(row := await self.ask(sql, **values)):
            assert time.monotonic() < give_up, f"it stays {row}"
            await asyncio.sleep(PAUSE_S)
        return row

    async def kill(self, worker: Worker) -> None:
        """kill -9; what it had claimed is in its name until the leases end."""
        at = time.monotonic()
        worker.kill()
        self.struck(at, await self.held_by(worker))

    async def freeze(self, worker: Worker) -> frozenset[str]:
        """Stop it where it is; returns the keys of what it holds then."""
        worker.signal(signal.SIGSTOP)
        await asyncio.sleep(SENT_ALREADY_S)
        return await self.held_by(worker)

    async def terminate(self, worker: Worker) -> int:
        """Tell it to stop, and see what it holds at that very moment; returns its exit code."""
        at = time.monotonic()
        held = await self.freeze(worker)
        worker.process.terminate()
        worker.signal(signal.SIGCONT)
        self.struck(at, held)
        return await asyncio.to_thread(worker.process.wait, LIMIT_S)

    def struck(self, at: float, keys: frozenset[str], victims: int = 1) -> None:
        """Remember a blow."""
        self.blows.append(Blow(at, keys, victims))

    def _unexplained(self) -> int:
        """Count the repeated calls of each blow; returns how many belong to none."""
        unexplained = 0
        for at, key in self.provider.repeats:
            cause = next((blow for blow in reversed(self.blows) if blow.at < at and key in blow.keys), None)
            if cause is None:
                unexplained += 1
            else:
                cause.repeated += 1
        return unexplained

    async def until_done(self) -> float:
        """Wait until every task has ended and every event was seen; returns the seconds."""
        started = time.monotonic()
        while True:
            row = await self.ask(RESULT)
            if row.completed + row.failed == row.tasks and row.events_seen == row.completed:
                return time.monotonic() - started
            assert time.monotonic() - started < LIMIT_S, f"not done: {row}"
            await asyncio.sleep(PAUSE_S)

    async def finish(self, **met: object) -> dict[str, Any]:
        """Stop all workers in order, write the evidence, and check what every suite promises.

        Args:
            met: what else this suite is for, and has seen.
        """
        for worker in self.workers:
            if worker.process.poll() is None:
                assert await worker.stop() == 0
        row = await self.ask(RESULT)
        counted = [worker.counted() for worker in self.workers]
        unexplained = self._unexplained()
        most = max((blow.repeated / blow.victims for blow in self.blows), default=0)
        evidence: dict[str, Any] = {
            "suite": self.suite,
            "seed": self.seed,
            "seconds": round(time.monotonic() - self._started, 1),
            **row._mapping,
            "lost": row.tasks - row.completed - row.failed,
            "lost_events": row.tasks - row.tasks_with_event + row.completed - row.events_seen,
            "kills": len(self.blows),
            "kills_that_hit_a_claimed_row": sum(bool(blow.keys) for blow in self.blows),
            "rows_hit": [len(blow.keys) for blow in self.blows],
            "fenced_writes": int(sum(c.get("fenced") or 0 for c in counted)),
            "leases_taken_over": int(sum(c.get("taken_over") or 0 for c in counted)),
            "calls": self.provider.calls,
            "repeated_keys": self.provider.repeated_keys,
            "repeated_after_each_kill": [blow.repeated for blow in self.blows],
            "repeated_at_most_per_process": most,
            "repeated_without_a_kill": unexplained,
            "duplicate_effects": self.provider.duplicate_effects,
            **met,
        }
        evidence = {name: int(value) if hasattr(value, "as_tuple") else value for name, value in evidence.items()}
        EVIDENCE.mkdir(parents=True, exist_ok=True)
        (EVIDENCE / f"{self.suite}.json").write_text(json.dumps(evidence, indent=2) + "\n")
        assert evidence["lost"] == 0, evidence
        assert evidence["failed"] == 0, evidence
        assert evidence["duplicate_effects"] == 0, evidence
        assert most <= self.orders.concurrency, evidence
        assert unexplained <= evidence["fenced_writes"], evidence  # a process that stalled on a busy machine
        assert evidence["lost_events"] == 0, evidence
        assert evidence["events"] == evidence["tasks"], evidence
        assert len(self.provider.submissions) == evidence["tasks"], evidence
        return evidence


@asynccontextmanager
async def crew_of(
    suite: str, database: Database, provider: Provider, folder: Path, url: str, **orders: Any
) -> AsyncIterator[Crew]:
    """Give a crew, and leave no process of it behind."""
    told = Orders(url=url, provider=str(provider.path), report="", **orders)
    crew = Crew(suite, database, provider, told, folder)
    try:
        yield crew
    finally:
        for worker in crew.workers:
            if worker.process.poll() is None:
                worker.signal(signal.SIGCONT)
                worker.kill()
