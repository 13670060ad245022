"""An aggregate and two tasks of the kit's own, so that its tests do not hang on what a service is about."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import BigInteger, Column, DateTime, Identity, MetaData, Row, Table, func, text
from sqlalchemy.dialects.postgresql import JSONB

from {{ cookiecutter.package_name }}.polling import tables
from {{ cookiecutter.package_name }}.polling.acceptance import Acceptance
from {{ cookiecutter.package_name }}.polling.api import (
    Burn,
    ClaimedTask,
    Completed,
    Outcome,
    StillPending,
    Submitted,
    TaskHandler,
    Verdict,
)
from {{ cookiecutter.package_name }}.polling.database import Database
from {{ cookiecutter.package_name }}.polling.isolation import Isolation
from {{ cookiecutter.package_name }}.polling.poller import Lane, Poller
from {{ cookiecutter.package_name }}.polling.settings import PollingSettings

metadata = MetaData(naming_convention=tables.metadata.naming_convention)

# A word of SQL on purpose: everything must be quoted.
THINGS = Table(
    "orders",
    metadata,
    Column("order_id", BigInteger, Identity(), primary_key=True),
    Column("payload", JSONB, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)
FIRST = tables.task_table("order_confirmation", THINGS)
SECOND = tables.task_table("order_receipt", THINGS)
KIT = (
    tables.outbox,
    tables.delivery,
    tables.idempotency_key,
    tables.pause,
    tables.action,
)
ALL = (*KIT, THINGS, FIRST, SECOND)

FAST = PollingSettings(lease=5, interval=0.5, poll_base=0.02, stats_interval=0.1)

AnyRow = Row[*tuple[Any, ...]]


async def create_tables(database: Database) -> None:
    """Create what the tests use, as the metadata describes it."""
    async with database.transaction() as connection:
        await connection.run_sync(tables.metadata.create_all, tables=list(KIT))
        await connection.run_sync(metadata.create_all)


async def empty_tables(database: Database) -> None:
    """Give every test the same start."""
    names = ", ".join(f'"{table.name}"' for table in ALL)
    async with database.transaction() as connection:
        await connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY CASCADE"))


class OpenGate:
    """A gate whose answers a test sets; it counts its own calls as a guard would."""

    def __init__(self, room: int = 16) -> None:
        self.places = room
        self.in_use = 0
        self.closed_s = 0.0
        self.callbacks: list[Callable[[], None]] = []

    def room(self) -> int:
        """Free places."""
        return 0 if self.closed_s else max(0, self.places - self.in_use)

    def closed_for_s(self) -> float:
        """As set."""
        return self.closed_s

    def on_change(self, callback: Callable[[], None]) -> None:
        """Remember whom to tell."""
        self.callbacks.append(callback)

    def change(self, *, closed_s: float | None = None, room: int | None = None) -> None:
        """Open or close, and tell."""
        self.closed_s = self.closed_s if closed_s is None else closed_s
        self.places = self.places if room is None else room
        for callback in self.callbacks:
            callback()


Step = Callable[[ClaimedTask], Awaitable[Outcome]]


class FakeSystem:
    """An external system and the handler that asks it: submit, one pending answer, completed. Counts everything."""

    def __init__(self, gate: OpenGate, step: Step | None = None) -> None:
        self.gate = gate
        self.step = step or self.usual
        self.submissions: Counter[str] = Counter()
        self.handled: list[int] = []
        self.most_at_once = 0

    async def handle(self, task: ClaimedTask) -> Outcome:
        """Count a call, and do as told."""
        self.gate.in_use += 1
        self.most_at_once = max(self.most_at_once, self.gate.in_use)
        self.handled.append(task.task_id)
        try:
            return await self.step(task)
        finally:
            self.gate.in_use -= 1

    async def usual(self, task: ClaimedTask) -> Outcome:
        """Submit, then once pending, then completed."""
        await asyncio.sleep(0)
        if task.external_id is None:
            self.submissions[str(task.idempotency_key)] += 1
            return Submitted(f"operation-{task.task_id}")
        return Completed() if task.poll_count else StillPending()


async def done(_: ClaimedTask) -> Outcome:
    """Complete at once."""
    return Completed()


def burn(error: Exception) -> Verdict:
    """Judge every error alike."""
    return Burn(str(error))


def poller_of(
    database: Database,
    gate: OpenGate,
    handler: TaskHandler,
    settings: PollingSettings = FAST,
    *,
    judge: Callable[[Exception], Verdict] = burn,
    concurrency: int = 16,
    table: Table = FIRST,
    event_stored: Callable[[], None] = lambda: None,
) -> Poller:
    """Return a poller of one task."""
    return Poller(
        system="bank",
        lanes=[Lane(str(table.info["task"]), table, handler)],
        gate=gate,
        judge=judge,
        database=database,
        settings=settings,
        concurrency=concurrency,
        isolation=Isolation(),
        event_stored=event_stored,
    )


@asynccontextmanager
async def running(poller: Poller) -> AsyncIterator[Poller]:
    """Run a poller, and stop it in order at the end."""
    run = asyncio.create_task(poller.run())
    try:
        yield poller
    finally:
        poller.stop_claiming()
        await run


async def accepted(database: Database, n: int, settings: PollingSettings = FAST) -> list[int]:
    """Accept `n` things; returns the ids of their first tasks."""
    acceptance = Acceptance(database, THINGS, FIRST, settings)
    return [(await acceptance.accept({"number": number})).task_id for number in range(n)]


async def rows(database: Database, table: Table = FIRST) -> Sequence[AnyRow]:
    """Return all rows of a task table, by id."""
    return await database.rows(table.select().order_by(table.c.task_id))


async def statuses(database: Database, table: Table = FIRST) -> Counter[str]:
    """Count rows by status."""
    return Counter(row.status for row in await rows(database, table))


async def execute(database: Database, sql: str, **values: object) -> Sequence[AnyRow]:
    """Run one statement that returns rows."""
    return await database.rows(text(sql), values)
