from datetime import timedelta

from pydantic import BaseModel
from pydantic_settings import BaseSettings, SettingsConfigDict


class SystemSettings(BaseModel):
    """What one external system gets; overridden per system by the environment."""

    base_url: str
    connect_s: float = 2.0  # looks like CFG-X1: this is the one place for the defaults
    read_s: float = 4.0
    pool_wait_s: float = 0.1
    total_s: float = 7.0
    pool_size: int = 20
    max_concurrent: int = 16
    attempts: int = 3  # looks like CFG-X1: a setting
    backoff_base_s: float = 0.2
    backoff_max_s: float = 2.0
    fail_max: int = 5
    open_for: timedelta = timedelta(seconds=30)


class WorkerSettings(BaseModel):
    idle_s: float = 1.0
    batch: int = 50
    max_attempts: int = 12
    lease_s: float = 60.0


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_nested_delimiter="__", env_prefix="REMIT_")

    database_url: str
    ledger: SystemSettings = SystemSettings(base_url="https://ledger.internal", total_s=6.5)
    fx: SystemSettings = SystemSettings(base_url="https://fx.example")
    screening: SystemSettings = SystemSettings(base_url="https://screening.example")
    payouts: SystemSettings = SystemSettings(base_url="https://payouts.example", fail_max=3)
    archive: SystemSettings = SystemSettings(base_url="https://archive.internal")
    notices: SystemSettings = SystemSettings(base_url="https://notices.internal")
    worker: WorkerSettings = WorkerSettings()


settings = Settings()  # type: ignore[call-arg]
