"""Settings of the queue and of its database. Seconds unless the name says otherwise."""

from typing import Self

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

DAY_S = 86_400.0


class PollingSettings(BaseSettings):
    """How tasks are claimed, retried, kept and ended (`POLLING__*`)."""

    model_config = SettingsConfigDict(env_prefix="POLLING__", frozen=True, extra="ignore")

    lease: float = Field(default=30.0, ge=0.5, le=3600)
    # How long a crashed process keeps its rows. Renewed every third, so a call may take longer than this.

    interval: float = Field(default=5.0, ge=0.05, le=300)
    # The longest sleep: it bounds the pickup of what another process queued.

    max_attempts: int = Field(default=20, ge=1, le=1000)
    # R-RES-RE-5: burned attempts before FAILED, about 70 minutes with the backoff below.

    backoff_max: float = Field(default=300.0, gt=0, le=DAY_S)
    # R-RES-RE-5: min(2^n, this). A longer wait would outlast most outages by their own length.

    poll_base: float = Field(default=1.0, gt=0, le=3600)
    # First question for a status after the submission; doubles with every one.

    deadline: float = Field(default=7 * DAY_S, gt=0, le=365 * DAY_S)
    # From submission to FAILED for a system that never settles; a week outlasts a weekend and a holiday.

    poison_after: int = Field(default=3, ge=1, le=100)
    # Claims in a row without an outcome, that is crashes, before the row runs alone.

    prefetch_ratio: float = Field(default=1.0, ge=0, le=2)
    # Of the concurrency: rows claimed ahead while calls take less than a tenth of a second, to hide the claims. Longer
    # calls hide them anyway, and a row that waits here could run in another process.

    shutdown_grace: float = Field(default=20.0, ge=0.1, le=3600)
    # Longer than a system's total timeout (15 s), shorter than the orchestrator's patience.

    backlog_cap: int = Field(default=100_000, ge=1)
    # Open rows of one task before 503: half an hour of work at 50 a second.

    key_retention: float = Field(default=DAY_S, gt=0, le=365 * DAY_S)
    # How long a client may repeat a request under its idempotency key.

    payload_max_bytes: int = Field(default=262_144, ge=2)
    # A payload is stored twice and claimed by the dozen; 256 KiB keeps a claim of 50 below 13 MiB.

    payload_max_depth: int = Field(default=32, ge=1, le=200)
    # Real documents stay below ten levels; each costs the parser's stack.

    completed_retention: float = Field(default=7 * DAY_S, gt=0)
    # Long enough to answer last week's question from the table.

    failed_retention: float = Field(default=90 * DAY_S, gt=0)
    # FAILED and CANCELLED rows are what people come back to.

    prune_batch: int = Field(default=500, ge=1, le=10_000)
    # Rows per delete: some milliseconds of locks, so that claims never notice.

    stats_interval: float = Field(default=15.0, ge=0.1, le=600)
    # Once a scrape is enough for the gauges that ask the database.

    due_age_objective: float = Field(default=60.0, gt=0)
    # The promise that alerts compare the oldest due row with.

    outbox_age_objective: float = Field(default=60.0, gt=0)
    # The same for events that wait for their handlers.

    event_timeout: float = Field(default=20.0, gt=0, le=600)
    # One event handler's time; its lease is a third longer.

    events_at_once: int = Field(default=4, ge=1, le=100)
    # Event handlers use the database, and its pool of ten is for requests and pollers, too.

    @model_validator(mode="after")
    def _covers(self) -> Self:
        if self.interval > self.lease:
            raise ValueError(
                f"POLLING__INTERVAL ({self.interval}) must not exceed POLLING__LEASE ({self.lease}): "
                "rows of a crashed process would wait for the tick after their lease has ended"
            )
        return self


class DatabaseSettings(BaseSettings):
    """How the service uses its database (`DATABASE__*`)."""

    model_config = SettingsConfigDict(env_prefix="DATABASE__", frozen=True, extra="ignore")

    pool_size: int = Field(default=10, ge=2, le=200)
    # R-RES-ISO-2: statements take milliseconds and nobody holds a connection during a call; more only queue there.

    pool_timeout: float = Field(default=1.0, gt=0, le=30)
    # A request that finds no connection for a second gets its 503 while the client still listens.

    connect_timeout: float = Field(default=1.0, gt=0, le=30)
    # In one network a connection takes milliseconds; a silent host must not hold a request for longer.

    statement_timeout: float = Field(default=5.0, gt=0, le=600)
    # Server-side, and half a second later client-side, for a server that does not even say no.

    idle_in_transaction_timeout: float = Field(default=10.0, gt=0, le=600)
    # A stopped process must not keep locks, nor keep vacuum from what claims left behind.

    pgbouncer: bool = False
    # Transaction pooling: no prepared statements, no startup parameters; set the timeouts on the role instead.
