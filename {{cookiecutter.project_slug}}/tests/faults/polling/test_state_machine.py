"""Any order of claims, outcomes, crashes, late writes, expired leases and operators' changes keeps the promises.

Hypothesis writes the history; a model of some lines says what the row must be after each step. Time passes by moving
the rows' instants into the past: the database's clock is the only one that counts.
"""

import asyncio
import json
import os
import random
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from {{ cookiecutter.package_name }}.polling.acceptance import Acceptance
from {{ cookiecutter.package_name }}.polling.api import (
    Burn,
    ClaimedTask,
    Completed,
    Reject,
    StillPending,
    Submitted,
    Wait,
)
from {{ cookiecutter.package_name }}.polling.database import open_database
from {{ cookiecutter.package_name }}.polling.filters import Filters
from {{ cookiecutter.package_name }}.polling.operators import Operators, Why
from {{ cookiecutter.package_name }}.polling.settings import DatabaseSettings, PollingSettings
from {{ cookiecutter.package_name }}.polling.settlement import Settlement, released, settle, settle_verdict
from {{ cookiecutter.package_name }}.polling.store import TaskStore

from tests.faults.polling.crew import EVIDENCE
from tests.integration.polling.workshop import FIRST, THINGS, create_tables, empty_tables, execute, rows

T = TypeVar("T")
SETTINGS = PollingSettings(lease=1000, interval=300, max_attempts=3, poll_base=500)
OPEN = ("PENDING", "IN_PROGRESS")
WHY = Why("ann", "because")
FAR = """UPDATE order_confirmation_task SET next_attempt_at = next_attempt_at + 1000 * interval '1 second'
WHERE task_id = CAST(:task_id AS bigint) RETURNING 1"""
EXAMPLES = 60
STEPS = 50
"""Histories and their lengths: some ten seconds, in which every kind of event below comes dozens of times."""

WHAT_FOR = (
    "kills_that_hit_a_claimed_row",
    "fenced_writes",
    "leases_taken_over",
    "repeated_keys",
    "cancelled_under_a_worker",
)
"""What the histories together must have met, or they have shown nothing."""

workers = st.sampled_from(["one", "two", "three"])
outcomes = st.sampled_from(["completed", "submitted", "pending", "rejected", "burn", "wait", "reject", "released"])


@dataclass
class Row:
    """What the model knows of a row."""

    status: str = "PENDING"
    claim_no: int = 0
    is_claimed: bool = False
    is_due: bool = True
    retries: int = 0
    no_outcome: int = 0
    external_id: str | None = None
    key: object = None
    ends: int = 0

    @property
    def is_open(self) -> bool:
        """Whether it may still be claimed."""
        return self.status in OPEN


class TaskTable(RuleBasedStateMachine):
    """The table, its workers and its operators."""

    url: ClassVar[str]
    met: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.opened = open_database(self.url, DatabaseSettings(pool_size=2))
        self.database = self.run(self.opened.__aenter__())
        self.run(empty_tables(self.database))
        self.stores = {name: TaskStore(self.database, FIRST, SETTINGS, name) for name in ("one", "two", "three")}
        self.hands: dict[str, list[ClaimedTask]] = {name: [] for name in self.stores}
        self.late: list[ClaimedTask] = []
        self.model: dict[int, Row] = {}

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run one step in the machine's own loop."""
        return self.runner.run(work)

    def teardown(self) -> None:
        """Close what was opened."""
        self.run(self.opened.__aexit__(None, None, None))
        self.runner.close()

    @initialize()
    def accept_some(self) -> None:
        """Nothing happens to an empty table."""
        for _ in range(3):
            self.accept()

    @rule()
    def accept(self) -> None:
        """A client posts."""
        accepted = self.run(Acceptance(self.database, THINGS, FIRST, SETTINGS).accept({}))
        self.model[accepted.task_id] = Row()

    @precondition(lambda self: any(row.is_open and row.is_due for row in self.model.values()))
    @rule(worker=workers, n=st.integers(1, 4))
    def claim(self, worker: str, n: int) -> None:
        """A worker claims: due rows only, each with a new number and its old key."""
        claimed = self.run(self.stores[worker].claim(n))
        due = [task_id for task_id, row in self.model.items() if row.is_open and row.is_due]
        assert len(claimed) == min(n, len(due))
        for found in claimed:
            task, row = found.task, self.model[found.task.task_id]
            assert row.is_open
            assert row.is_due
            assert found.taken_over == row.is_claimed
            assert (task.claim_no, task.external_id, task.retry_count, task.no_outcome) == (
                row.claim_no + 1,
                row.external_id,
                row.retries,
                row.no_outcome + 1,
            )
            assert row.key in (None, task.idempotency_key)
            self.met["repeated_keys"] += row.key is not None and task.external_id is None
            self.met["leases_taken_over"] += found.taken_over
            row.no_outcome += 1
            row.claim_no, row.is_claimed, row.is_due, row.key = task.claim_no, True, False, task.idempotency_key
            self.take(worker, task)

    def take(self, worker: str, task: ClaimedTask) -> None:
        """Hold one claim per row; a worker that slept through its lease may claim its own row again."""
        hand = self.hands[worker]
        self.late += [held for held in hand if held.task_id == task.task_id]
        self.hands[worker] = [*(held for held in hand if held.task_id != task.task_id), task]

    @precondition(lambda self: any(self.hands.values()))
    @rule(worker=workers, outcome=outcomes, pick=st.integers(0, 9))
    def finish(self, worker: str, outcome: str, pick: int) -> None:
        """A worker writes an outcome, fenced or not."""
        if hand := self.hands[worker]:
            task = hand.pop(pick % len(hand))
            self.late.append(task)
            self.write(worker, task, outcome)

    @precondition(lambda self: self.late)
    @rule(worker=workers, outcome=outcomes, pick=st.integers(0, 99))
    def finish_again(self, worker: str, outcome: str, pick: int) -> None:
        """Somebody who lost the row, or has settled it, writes once more."""
        self.write(worker, self.late[pick % len(self.late)], outcome)

    def write(self, worker: str, task: ClaimedTask, outcome: str) -> None:
        """Settle one row and follow it in the model."""
        row = self.model[task.task_id]
        is_ours = row.is_claimed and row.claim_no == task.claim_no
        written = self.run(self.stores[worker].settle([self.settlement(task, outcome)]))
        assert (task.task_id in written) == is_ours
        self.met["fenced_writes"] += not is_ours
        if not is_ours:
            return
        row.is_claimed, row.is_due = False, outcome == "released"
        row.no_outcome = row.no_outcome - 1 if outcome == "released" else 0
        if outcome == "burn":
            row.retries += 1
        if outcome == "submitted":
            row.status, row.external_id = "IN_PROGRESS", f"operation {task.task_id}"
        if outcome == "completed":
            row.status, row.ends = "COMPLETED", row.ends + 1
        if outcome in ("rejected", "reject") or (outcome == "burn" and row.retries >= SETTINGS.max_attempts):
            row.status, row.ends = "FAILED", row.ends + 1
        assert written[task.task_id] == row.status
        if outcome == "burn":  # its backoff begins with two seconds, which this machine must not outlast
            self.run(execute(self.database, FAR, task_id=task.task_id))

    def settlement(self, task: ClaimedTask, outcome: str) -> Settlement:
        """Return what a poller would write."""
        match outcome:
            case "completed":
                return settle(task, Completed(), SETTINGS)
            case "submitted":
                return settle(task, Submitted(f"operation {task.task_id}"), SETTINGS)
            case "pending":
                return settle(task, StillPending(), SETTINGS)
            case "burn":
                return settle_verdict(task, Burn("503"), SETTINGS)
            case "wait":
                return settle_verdict(task, Wait("open", 500), SETTINGS)
            case "released":
                return released(task)
        return settle_verdict(task, Reject("no"), SETTINGS)

    @precondition(lambda self: any(self.hands.values()))
    @rule(worker=workers)
    def renew(self, worker: str) -> None:
        """A worker renews: it keeps what is its own and learns of what is not."""
        if hand := self.hands[worker]:
            answer = self.run(self.stores[worker].renew([(t.task_id, t.claim_no) for t in hand]))
            for task in hand:
                row = self.model[task.task_id]
                is_ours = row.is_claimed and row.claim_no == task.claim_no
                assert answer.get(task.task_id) == (True if is_ours else None)
                if is_ours:
                    row.is_due = False

    @precondition(lambda self: any(self.hands.values()))
    @rule(worker=workers)
    def crash(self, worker: str) -> None:
        """A worker is gone, with all it held; its last writes may still arrive."""
        self.met["kills_that_hit_a_claimed_row"] += bool(self.hands[worker])
        self.late += self.hands[worker]
        self.hands[worker] = []

    @precondition(lambda self: any(row.is_open and not row.is_due for row in self.model.values()))
    @rule()
    def time_passes(self) -> None:
        """Every lease ends and every wait is over."""
        self.run(
            execute(
                self.database,
                "UPDATE order_confirmation_task SET next_attempt_at = now() - interval '1 second' "
                "WHERE status IN ('PENDING', 'IN_PROGRESS') RETURNING 1",
            )
        )
        for row in self.model.values():
            row.is_due = row.is_open

    @precondition(lambda self: any(row.status == "FAILED" for row in self.model.values()))
    @rule()
    def retry_failed(self) -> None:
        """An operator lets failed rows start again."""
        operators = Operators(self.database, FIRST, SETTINGS)
        changed = self.run(operators.apply("retry", Filters(), 100, WHY))
        assert set(changed) == {task_id for task_id, row in self.model.items() if row.status == "FAILED"}
        for task_id in changed:
            row = self.model[task_id]
            row.status = "IN_PROGRESS" if row.external_id else "PENDING"
            row.claim_no, row.retries, row.no_outcome, row.is_due = row.claim_no + 1, 0, 0, True

    @rule(leased=st.booleans(), pick=st.integers(0, 9))
    def cancel(self, leased: bool, pick: int) -> None:
        """An operator ends a row, under a worker's hands if told to."""
        ids = [task_id for task_id, row in self.model.items() if row.is_claimed] if leased else []
        task_id = (ids or list(self.model))[pick % len(ids or self.model)]
        operators = Operators(self.database, FIRST, SETTINGS)
        changed = self.run(operators.apply("cancel", Filters(ids=[task_id]), 1, WHY, leased=leased))
        row = self.model[task_id]
        assert bool(changed) == (row.is_open and (leased or not row.is_claimed))
        if changed:
            self.met["cancelled_under_a_worker"] += row.is_claimed
            row.status, row.is_claimed, row.ends = "CANCELLED", False, row.ends + 1
            row.claim_no += 1

    @invariant()
    def the_table_is_as_the_model_says(self) -> None:
        """Every row, and one event for every end."""
        if not hasattr(self, "model"):
            return
        ends = Counter(row.task_id for row in self.run(execute(self.database, "SELECT task_id FROM polling_outbox")))
        for found in self.run(rows(self.database)):
            row = self.model[found.task_id]
            assert (found.status, found.claim_no, found.claimed_by is not None) == (
                row.status,
                row.claim_no,
                row.is_claimed,
            )
            assert (found.retry_count, found.external_id) == (row.retries, row.external_id)
            assert found.no_outcome == row.no_outcome
            assert (found.finished_at is None) == row.is_open
            assert row.key in (None, found.idempotency_key)
            assert ends[found.task_id] == row.ends


def test_every_history_keeps_the_promises(server_url: str) -> None:
    async def prepare_tables() -> None:
        async with open_database(server_url, DatabaseSettings()) as database:
            await create_tables(database)

    with asyncio.Runner() as runner:
        runner.run(prepare_tables())
    TaskTable.url = server_url
    chosen = int(os.environ.get("FAULT_SEED", random.randrange(2**32)))
    seed(chosen)(TaskTable)
    run_state_machine_as_test(
        TaskTable,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )

    EVIDENCE.mkdir(parents=True, exist_ok=True)
    evidence = {"suite": "state_machine", "seed": chosen, **{name: TaskTable.met[name] for name in WHAT_FOR}}
    (EVIDENCE / "state_machine.json").write_text(json.dumps(evidence, indent=2) + "\n")
    assert all(TaskTable.met[name] > 0 for name in WHAT_FOR), evidence
