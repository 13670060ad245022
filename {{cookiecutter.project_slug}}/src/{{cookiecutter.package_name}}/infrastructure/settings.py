"""Settings of the process, and the one place where all settings are read."""

from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

Role = Literal["all", "api", "worker"]


class ProcessSettings(BaseSettings):
    """What the process as a whole needs."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore")

    database_url: SecretStr
    """`postgresql+asyncpg://user:password@host/database`; there is no default that could reach a wrong server."""

    role: Role = "all"
    """`api` serves HTTP, `worker` runs pollers and relay, `all` does both."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"


class HttpSettings(BaseSettings):
    """Both servers: the public one and the management one. Seconds unless the name says otherwise."""

    model_config = SettingsConfigDict(env_prefix="HTTP__", frozen=True, extra="ignore")

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65_535)
    management_host: str = "127.0.0.1"
    management_port: int = Field(default=8001, ge=0, le=65_535)

    drain_delay: float = Field(default=0.0, ge=0, le=60)
    # Behind a balancer: the time it takes to notice a 503 of readiness, as a rule 5 s. Without one there is no wait.

    drain_timeout: float = Field(default=20.0, gt=0, le=300)
    # Longer than the longest total timeout of a system (15 s), so that a request in flight can end.

    max_body_bytes: int = Field(default=262_144, ge=1)
    # A payload is stored twice (aggregate and task); 256 KiB keeps a claim of 50 rows below 13 MiB.

    max_body_depth: int = Field(default=32, ge=1, le=200)
    # Deep nesting costs the parser's stack; real documents stay below ten.

    readiness_timeout: float = Field(default=2.0, gt=0, le=10)
    # Below the usual probe timeout of 5 s: a hanging database is a clear 503, not a probe that ran out of time.

    log_successes: bool = False
    # The metrics count what was answered, and rendering a line is work in the path of every request.
