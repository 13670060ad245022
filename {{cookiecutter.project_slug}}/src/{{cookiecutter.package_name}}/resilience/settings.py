"""Settings of one external system: durations in seconds, unless the name says otherwise (R-RES-CFG-1, R-RES-CFG-2).

The defaults live here and only here. A system subclasses `ClientSettings`, names its prefix and says, with a comment,
where and why it departs from a default (R-RES-TO-2).
"""

from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from .settings_rules import broken_rules, followed_defaults


class ClientSettings(BaseSettings):
    """`CLIENT_<SYSTEM>__*`: address, time, room, breaker, retry, credentials and health of one system."""

    # `only_existing`: of `.env`, this system's own fields and nothing else, whatever stands there.
    model_config = SettingsConfigDict(
        env_prefix="CLIENT__", frozen=True, extra="ignore", allow_inf_nan=False, dotenv_filtering="only_existing"
    )

    base_url: str
    # No default: a service that is not told where its system lives does not start.

    # Time
    connect_timeout: float = Field(default=1.0, gt=0)
    # R-RES-TO-1 allows 2 s in the data centre; a healthy handshake takes milliseconds.
    read_timeout: float = Field(default=10.0, gt=0)
    # Silence between two parts of the answer; what takes longer is a task (R-RES-TO-X3).
    write_timeout: float = Field(default=5.0, gt=0)
    # The aiohttp transport has no write timeout of its own: the total deadline covers writing.
    pool_timeout: float = Field(default=2.0, gt=0)
    # With the bulkhead below the pool nobody waits for a connection; who does has met a leak.
    total_timeout: float = Field(default=15.0, gt=0)
    # connect 1 + read 10 + 1 (R-RES-TO-1), and room for one quick second attempt.
    budget_reserve: float = Field(default=0.1, ge=0)
    # R-RES-TO-3: what stays of the caller's budget for our own answer.

    # Room
    max_concurrent: int = Field(default=16, ge=1)
    max_connections: int = Field(default=20, ge=1)
    # 16 of 20 satisfies both R-RES-ISO-2 (pool = 1.2 x bulkhead) and R-RES-BH-3 (bulkhead = 0.8 x pool).
    bulkhead_wait: float = Field(default=0.1, ge=0)
    # R-RES-BH-3: longer queues only hide that the system is too slow for its load.
    busy_retry_after: float = Field(default=1.0, gt=0)
    # What a refused caller is told when nothing better is known: bulkhead full, trials taken.
    keepalive: float = Field(default=15.0, gt=0)
    # Idle connections end before the other side ends them: a POST on a dead one has an unknown outcome.

    # Circuit breaker
    breaker_mode: Literal["auto", "forced_open", "disabled"] = "auto"
    breaker_window: int = Field(default=50, ge=1)
    breaker_min_calls: int = Field(default=10, ge=1)
    breaker_failure_ratio: float = Field(default=0.5, gt=0, le=1)
    # R-RES-CB-3: a payment-like system sets 0.3.
    breaker_slow_ratio: float = Field(default=0.8, gt=0, le=1)
    # R-RES-CB-5: slow means over read_timeout / 2; most calls slow is an outage on its way.
    breaker_open: float = Field(default=30.0, gt=0)
    breaker_open_max: float = Field(default=120.0, gt=0)
    # The open period doubles after each failed round of trials; beyond two minutes recovery would wait for us. Where
    # only BREAKER_OPEN is set, four times that.
    breaker_trials: int = Field(default=3, ge=1)

    # Retry in memory: reads and keyed writes outside tasks
    retry_attempts: int = Field(default=3, ge=1)
    retry_budget_ratio: float = Field(default=0.1, ge=0, le=1)
    # At most this share of extra calls: a dead system is not hit three times as hard as a healthy one.
    retry_budget_burst: int = Field(default=5, ge=1)
    # Retries in reserve, so that a rare call may be retried at all.
    retry_backoff: float = Field(default=0.1, gt=0)
    retry_backoff_max: float = Field(default=1.0, gt=0)
    retry_wait_max: float = Field(default=1.9, gt=0, lt=2)
    # R-RES-ASYNC-2: all waits of one call together stay under 2 s; a `Retry-After` beyond is not waited for.
    retry_window: float = Field(default=5.0, gt=0, le=5)
    # R-RES-RE-4: no retry begins later than this after the first attempt began.
    retry_after_max: float = Field(default=3600.0, gt=0)
    # The system's own `Retry-After` is believed up to here.

    # What is accepted as an answer
    max_response_bytes: int = Field(default=1_000_000, ge=1)
    # A thousand times a usual answer; beyond, memory of the pod is at stake.

    # Health
    health_ttl: float = Field(default=30.0, gt=0)
    health_timeout: float = Field(default=2.0, gt=0)
    # A probe is light: two seconds are ten times a slow answer, and readiness must not age.
    required_for_readiness: bool = False

    # Credentials: a static header, or an OAuth2 client-credentials token
    auth_header: str = Field(default="Authorization", pattern=r"^[A-Za-z0-9-]{1,64}$")
    auth_value: SecretStr | None = None
    oauth_token_url: str | None = None
    oauth_client_id: str | None = None
    oauth_client_secret: SecretStr | None = None
    oauth_scope: str | None = None
    oauth_refresh_before: float = Field(default=30.0, ge=0)
    # A token is renewed this long before it ends: twice the longest call that could still carry it.
    oauth_lifetime: float = Field(default=300.0, gt=0)
    # Of a token whose endpoint does not tell; the shortest that is common.
    oauth_min_age: float = Field(default=10.0, ge=0)
    # After a 401 a younger token is kept: a system that refuses everything must not turn into a storm of refreshes.
    idempotency_header: str = Field(default="Idempotency-Key", pattern=r"^[A-Za-z0-9-]{1,64}$")

    # Network
    proxy: SecretStr | None = None
    ca_bundle: Path | None = None
    client_certificate: Path | None = None
    client_key: Path | None = None
    client_key_password: SecretStr | None = None

    PREFIX_START: ClassVar[str] = "CLIENT_"

    @classmethod
    def __pydantic_init_subclass__(cls, **_: object) -> None:
        """Refuse a subclass without a prefix of its own: it would read, and share, unprefixed variables."""
        prefix = cls.prefix()
        system = prefix.removeprefix(cls.PREFIX_START).removesuffix("__")
        if prefix != f"{cls.PREFIX_START}{system}__" or not system or "__" in system:
            raise TypeError(
                f'{cls.__name__}: set model_config = SettingsConfigDict(env_prefix="CLIENT_<SYSTEM>__") (R-RES-CFG-3)'
            )

    @classmethod
    def prefix(cls) -> str:
        """Return the prefix of the variables, in capitals: `CLIENT_SBER__`."""
        return str(cls.model_config.get("env_prefix", "")).upper()

    @property
    def slow_after_s(self) -> float:
        """From here on a call counts as slow (R-RES-CB-5)."""
        return self.read_timeout / 2

    @model_validator(mode="after")
    def _numbers_fit_together(self) -> Self:
        for name, value in followed_defaults(self):
            object.__setattr__(self, name, value)
        if broken := broken_rules(self, self.prefix()):
            raise ValueError("\n  ".join(broken))
        return self
