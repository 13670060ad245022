"""What a task, an event and their handlers look like. No database and no library: the application layer uses these."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeAlias
from uuid import UUID

from .errors import BacklogFullError, DatabaseUnavailableError, KeyReusedError, PayloadError, QueueError

__all__ = [
    "ENDINGS",
    "Accepted",
    "BacklogFullError",
    "Burn",
    "ClaimedTask",
    "Completed",
    "DatabaseUnavailableError",
    "Event",
    "EventHandler",
    "Gate",
    "JsonObject",
    "Judge",
    "KeyReusedError",
    "Outcome",
    "PayloadError",
    "QueueError",
    "Reject",
    "Rejected",
    "StillPending",
    "Submitted",
    "Subscription",
    "TaskHandler",
    "TaskView",
    "Verdict",
    "Wait",
    "Waker",
]

ENDINGS = ("completed", "failed", "rejected")
"""How a task can end, and the last word of its topics; what an operator cancels ends as failed."""

JsonObject: TypeAlias = Mapping[str, Any]
Waker: TypeAlias = Callable[[str], None]
"""Tells the poller of a task, by the task's name, that a row was committed. Never blocks, never fails."""


@dataclass(frozen=True, slots=True)
class ClaimedTask:
    """One row, leased to this process.

    `idempotency_key` belongs to the row: it stays the same over attempts, crashes and replays, and is what the external
    system must get. `claim_no` grows with every claim and fences every write of this one.
    """

    task_id: int
    task: str
    aggregate_id: int
    idempotency_key: UUID
    payload: JsonObject
    external_id: str | None
    retry_count: int
    poll_count: int
    claim_no: int
    no_outcome: int
    traceparent: str | None

    @property
    def reference(self) -> str:
        """How people on both sides call this task; unique within one database only."""
        return f"{self.task}:{self.task_id}"


@dataclass(frozen=True, slots=True)
class Submitted:
    """The system took the request and gave it an id; ask for its fate later."""

    external_id: str


@dataclass(frozen=True, slots=True)
class StillPending:
    """The system has not decided yet."""


@dataclass(frozen=True, slots=True)
class Completed:
    """It is done; an event follows."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """The system said no for good; an event follows."""

    reason: str


Outcome: TypeAlias = Submitted | StillPending | Completed | Rejected


class TaskHandler(Protocol):
    """Takes the one step that is next for a claimed row. What it raises is judged, not lost."""

    async def handle(self, task: ClaimedTask) -> Outcome:
        """Submit, or ask; one call, no sleep."""
        ...


@dataclass(frozen=True, slots=True)
class Burn:
    """The attempt counts; the row backs off, and fails after the last one."""

    reason: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing was tried, so nothing is burned; the row and its system wait `retry_after_s` seconds."""

    reason: str
    retry_after_s: float


@dataclass(frozen=True, slots=True)
class Reject:
    """Trying again cannot help; the row fails with the reason."""

    reason: str


Verdict: TypeAlias = Burn | Wait | Reject
Judge: TypeAlias = Callable[[Exception], Verdict]
"""Says what an error of a handler means for its row. Pure, fast, and defined for every exception."""


class Gate(Protocol):
    """Whether the system behind a task can be called now."""

    def room(self) -> int:
        """How many calls may be begun now: the free places while closed, what is left of the trials while half-open."""
        ...

    def closed_for_s(self) -> float:
        """How long it lets nobody through; 0 if it would."""
        ...

    def on_change(self, callback: Callable[[], None]) -> object:
        """Call `callback` whenever the answers above change by themselves."""
        ...


@dataclass(frozen=True, slots=True)
class Accepted:
    """What was stored for a request; the same again for a repeated one."""

    aggregate_id: int
    task_id: int


@dataclass(frozen=True, slots=True)
class TaskView:
    """How one task stands, for those who asked for it."""

    task: str
    task_id: int
    status: str
    external_id: str | None
    retry_count: int
    last_error: str | None
    next_attempt_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Event:
    """A task ended. `topic` is `<task>.completed`, `<task>.failed` or `<task>.rejected`."""

    event_id: int
    topic: str
    task: str
    task_id: int
    aggregate_id: int
    reason: str | None
    created_at: datetime


class EventHandler(Protocol):
    """Gets an event at least once, in order per aggregate; every step must be safe to repeat."""

    async def handle(self, event: Event) -> None:
        """Go on with the flow; an error brings the event back later."""
        ...


@dataclass(frozen=True, slots=True)
class Subscription:
    """One handler of one topic. `name` is kept in the database with events that must come back: do not rename it."""

    topic: str
    name: str
    handler: EventHandler | Callable[[Event], Awaitable[None]]

    async def deliver(self, event: Event) -> None:
        """Hand the event over."""
        if callable(self.handler):
            await self.handler(event)
        else:
            await self.handler.handle(event)
