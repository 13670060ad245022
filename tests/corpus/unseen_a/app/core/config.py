"""Settings of the order service. Every system has a block of its own."""
from datetime import timedelta
from functools import lru_cache

from pydantic import BaseModel, Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class SystemSettings(BaseModel):
    base_url: str
    connect_timeout: float = 2.0
    read_timeout: float = 6.0
    total_timeout: float = 10.0
    max_connections: int = 20
    max_keepalive: int = 10
    max_concurrent: int = 16
    retry_attempts: int = Field(default=3, ge=1, le=5)
    retry_initial: float = 0.2
    retry_max: float = 1.5
    breaker_failures: int = 25
    breaker_open_seconds: int = 30

    @property
    def breaker_open(self) -> timedelta:
        return timedelta(seconds=self.breaker_open_seconds)


class WorkerSettings(BaseModel):
    poll_interval: float = 5.0
    batch_size: int = 50
    max_attempts: int = 12
    lease_seconds: int = 60


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_nested_delimiter="__", env_file=".env")

    database_url: str = "postgresql+asyncpg://orders@localhost/orders"
    acquiring: SystemSettings = SystemSettings(base_url="https://acquiring.internal")
    courier: SystemSettings = SystemSettings(base_url="https://api.courier.example", read_timeout=8.0)
    rates: SystemSettings = SystemSettings(base_url="https://rates.example", total_timeout=9.0)
    notify: SystemSettings = SystemSettings(base_url="https://notify.example")
    scoring: SystemSettings = SystemSettings(base_url="https://scoring.internal")
    probe_ttl: float = 30.0
    worker: WorkerSettings = WorkerSettings()


@lru_cache
def get_settings() -> Settings:
    return Settings()


settings = get_settings()
