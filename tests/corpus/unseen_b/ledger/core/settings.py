"""Settings of the ledger, read once."""
from functools import cached_property
from typing import Annotated

import httpx
from annotated_types import Gt
from pydantic import BaseModel
from pydantic_settings import BaseSettings, SettingsConfigDict

Positive = Annotated[float, Gt(0)]


class Resilience(BaseModel):
    connect: Positive = 2
    read: Positive = 6
    total: Positive = 9
    pool: int = 24
    concurrency: int = 20
    attempts: int = 3
    first_wait: Positive = 0.2
    longest_wait: Positive = 2
    failures: int = 20
    open_seconds: Positive = 30

    @cached_property
    def timeout(self) -> httpx.Timeout:
        return httpx.Timeout(self.read, connect=self.connect)

    @cached_property
    def limits(self) -> httpx.Limits:
        return httpx.Limits(max_connections=self.pool, max_keepalive_connections=self.pool)


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="LEDGER_", env_nested_delimiter="__")
    bank_url: str = "https://bank.example"
    bank: Resilience = Resilience(failures=15)
    fraud_url: str = "https://fraud.internal"
    fraud: Resilience = Resilience(read=3, total=6)
    audit_url: str = "https://audit.internal"
    audit: Resilience = Resilience()
    probe_every: Positive = 30


S = Settings()
