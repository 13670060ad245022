"""The kit's metrics (R-RES-OBS-1). Labels come from closed sets; children exist from the start.

`outbound_call_*` is what an adapter's caller waited, retries included; `outbound_attempt_*` is one try at the wire.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum

from prometheus_client import Counter, Gauge, Histogram

from .errors import (
    BadResponseError,
    BulkheadFullError,
    CircuitOpenError,
    DeadlineExceededError,
    OutcomeUnknownError,
    RejectedError,
    SystemFailedError,
    ThrottledError,
    TimedOutError,
    UnauthorizedError,
    UnreachableError,
)

CALL_BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 30.0)
WAIT_BUCKETS_S = (0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Outcome(StrEnum):
    """How an attempt, or a whole call, ended."""

    OK = "ok"
    CLIENT_ERROR = "client_error"
    THROTTLED = "throttled"
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    CONNECT_ERROR = "connect_error"
    PROTOCOL_ERROR = "protocol_error"
    CANCELLED = "cancelled"
    REJECTED = "rejected"
    """Of a call only: it never reached the wire."""


OUTCOMES: dict[type[BaseException], Outcome] = {
    CircuitOpenError: Outcome.REJECTED,
    BulkheadFullError: Outcome.REJECTED,
    DeadlineExceededError: Outcome.REJECTED,
    UnreachableError: Outcome.CONNECT_ERROR,
    TimedOutError: Outcome.TIMEOUT,
    OutcomeUnknownError: Outcome.PROTOCOL_ERROR,
    BadResponseError: Outcome.PROTOCOL_ERROR,
    SystemFailedError: Outcome.SERVER_ERROR,
    ThrottledError: Outcome.THROTTLED,
    UnauthorizedError: Outcome.CLIENT_ERROR,
    RejectedError: Outcome.CLIENT_ERROR,
}


def outcome_of(error: BaseException) -> Outcome:
    """Return the outcome that an error stands for; what is not ours is an answer that the adapter cannot digest."""
    return OUTCOMES.get(type(error), Outcome.PROTOCOL_ERROR)


class State(StrEnum):
    """Of a breaker."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"
    FORCED_OPEN = "forced_open"


class Rejection(StrEnum):
    """Why a call never reached the wire."""

    BREAKER_OPEN = "breaker_open"
    BULKHEAD_FULL = "bulkhead_full"
    DEADLINE = "deadline"
    RATE_LIMIT = "rate_limit"
    """For a limiter of the team's own; the kit has none (R-RES-WHERE-4)."""


class RetryDecision(StrEnum):
    """What became of a failed attempt that a retry could follow."""

    RETRIED = "retried"
    BUDGET_EXHAUSTED = "budget_exhausted"
    DEADLINE = "deadline"
    NOT_RETRYABLE = "not_retryable"


class Where(StrEnum):
    """Where time ran out."""

    WAIT = "wait"
    ATTEMPT = "attempt"
    BACKOFF = "backoff"


CALL_DURATION = Histogram(
    "outbound_call_duration_seconds",
    "A call of an adapter, waits and retries included",
    ["system", "operation", "outcome"],
    buckets=CALL_BUCKETS_S,
)
ATTEMPT_DURATION = Histogram(
    "outbound_attempt_duration_seconds",
    "One attempt at the wire",
    ["system", "outcome"],
    buckets=CALL_BUCKETS_S,
)
BREAKER_STATE = Gauge("outbound_breaker_state", "1 for the breaker's state, 0 for the others", ["system", "state"])
BREAKER_TRANSITIONS = Counter("outbound_breaker_transitions", "Changes of the breaker's state", ["system", "to"])
REJECTIONS = Counter("outbound_rejections", "Calls that never reached the wire", ["system", "reason"])
BULKHEAD_IN_USE = Gauge("outbound_bulkhead_in_use", "Calls in flight", ["system"])
BULKHEAD_LIMIT = Gauge("outbound_bulkhead_limit", "Calls in flight that are allowed", ["system"])
BULKHEAD_WAIT = Histogram(
    "outbound_bulkhead_wait_seconds", "Waiting for a place in the bulkhead", ["system"], buckets=WAIT_BUCKETS_S
)
RETRIES = Counter("outbound_retries", "Failed attempts by what followed", ["system", "decision"])
RETRY_BUDGET = Gauge("outbound_retry_budget_ratio", "Share of the retry budget that is left, 1 is full", ["system"])
DEADLINE_EXCEEDED = Counter("outbound_deadline_exceeded", "Times that time ran out", ["system", "where"])


class SystemMetrics:
    """The children of one system, looked up once: `labels()` costs more than counting does."""

    def __init__(self, system: str) -> None:
        self.system = system
        self.attempts = {outcome: ATTEMPT_DURATION.labels(system, outcome) for outcome in attempt_outcomes()}
        self.state = {state: BREAKER_STATE.labels(system, state) for state in State}
        self.transitions = {state: BREAKER_TRANSITIONS.labels(system, state) for state in State}
        self.rejections = {reason: REJECTIONS.labels(system, reason) for reason in Rejection}
        self.retries = {decision: RETRIES.labels(system, decision) for decision in RetryDecision}
        self.deadline_exceeded = {where: DEADLINE_EXCEEDED.labels(system, where) for where in Where}
        self.bulkhead_wait = BULKHEAD_WAIT.labels(system)
        self._calls: dict[str, dict[Outcome, Histogram]] = {}

    def calls(self, operation: str) -> dict[Outcome, Histogram]:
        """Return the histograms of an operation, one per outcome; all of them exist from the first look on."""
        if (found := self._calls.get(operation)) is None:
            found = {outcome: CALL_DURATION.labels(self.system, operation, outcome) for outcome in Outcome}
            self._calls[operation] = found
        return found

    def out_of_time(self) -> None:
        """Count a call that was refused because its time was over before anything was sent."""
        self.rejections[Rejection.DEADLINE].inc()
        self.deadline_exceeded[Where.WAIT].inc()

    def show_state(self, current: State) -> None:
        """Set the one-hot gauge."""
        for state, child in self.state.items():
            child.set(1 if state is current else 0)

    def follow(self, in_use: Callable[[], float], limit: int, retry_budget: Callable[[], float]) -> None:
        """Read the gauges from their owners when they are scraped, not on every call."""
        BULKHEAD_LIMIT.labels(self.system).set(limit)
        BULKHEAD_IN_USE.labels(self.system).set_function(in_use)
        RETRY_BUDGET.labels(self.system).set_function(retry_budget)


def attempt_outcomes() -> Iterable[Outcome]:
    """Return the outcomes that an attempt can have."""
    return [outcome for outcome in Outcome if outcome is not Outcome.REJECTED]
