"""Metrics of the queue; names and labels are the ones that dashboards and alerts know (docs/operations.md)."""

from contextlib import suppress

from prometheus_client import Counter, Gauge, Histogram

PICKUP = Histogram(
    "task_pickup_latency_seconds",
    "From due to claimed, by the database's clock.",
    ["task"],
    buckets=(0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600),
)
HANDLER_DURATION = Histogram(
    "task_handler_duration_seconds",
    "One step of a claimed row, and how it ended.",
    ["task", "outcome"],
    buckets=(0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900),
)
OUTCOMES = ("completed", "submitted", "pending", "retried", "failed", "fenced", "released")
RETRIES = Counter("task_retries", "Rows that will be tried again.", ["task", "reason"])
RETRY_REASONS = ("burned", "refused")
FENCED = Counter("task_fenced", "Writes refused because the lease was lost.", ["task"])
LEASE_EXPIRED = Counter("task_lease_expired", "Rows taken over from a process that did not settle them.", ["task"])
IN_FLIGHT = Gauge("task_in_flight", "Rows that this process holds.", ["task"])
CONCURRENCY_LIMIT = Gauge("task_concurrency_limit", "Calls of this task at once, at most, in this process.", ["task"])

COUNT = Gauge("task_count", "Rows by status.", ["task", "status"])
DUE = Gauge("task_due", "Rows that could be claimed now.", ["task"])
OLDEST_DUE = Gauge("task_oldest_due_age_seconds", "Age of the oldest due row, 0 without one.", ["task"])
DUE_OBJECTIVE = Gauge("task_due_age_objective_seconds", "The age that a due row should not reach.", ["task"])
STATS_AT = Gauge("task_stats_last_success_timestamp_seconds", "When the gauges from the database were last read.")
UNPUBLISHED = Gauge("outbox_unpublished", "Events that some handler has not taken yet.", ["topic"])
OLDEST_UNPUBLISHED = Gauge("outbox_oldest_unpublished_age_seconds", "Age of the oldest such event.", ["topic"])
OUTBOX_OBJECTIVE = Gauge("outbox_age_objective_seconds", "The age that such an event should not reach.", ["topic"])

POOL_CONNECTIONS = Gauge("db_pool_connections", "Connections by state.", ["state"])
POOL_LIMIT = Gauge("db_pool_limit", "Connections at most.")
POOL_WAIT = Histogram(
    "db_pool_wait_seconds",
    "Waiting for a connection.",
    buckets=(0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)


class PoolGauges:
    """Reads the pool whenever metrics are asked for."""

    def __init__(self, pool: object, limit: int) -> None:
        POOL_LIMIT.set(limit)
        if hasattr(pool, "checkedout") and hasattr(pool, "checkedin"):
            POOL_CONNECTIONS.labels("used").set_function(pool.checkedout)
            POOL_CONNECTIONS.labels("idle").set_function(pool.checkedin)
            POOL_CONNECTIONS.labels("overflow").set(0)

    def forget(self) -> None:
        """Let go of the pool."""
        for state in ("used", "idle"):
            with suppress(KeyError):
                POOL_CONNECTIONS.remove(state)


class TaskMetrics:
    """The children of one task, made at the start so that zero is visible."""

    def __init__(self, task: str) -> None:
        self.pickup = PICKUP.labels(task)
        self.duration = {outcome: HANDLER_DURATION.labels(task, outcome) for outcome in OUTCOMES}
        self.retries = {reason: RETRIES.labels(task, reason) for reason in RETRY_REASONS}
        self.fenced = FENCED.labels(task)
        self.lease_expired = LEASE_EXPIRED.labels(task)
        self.in_flight = IN_FLIGHT.labels(task)
        self.limit = CONCURRENCY_LIMIT.labels(task)
