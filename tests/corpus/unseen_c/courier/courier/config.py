from datetime import timedelta
from functools import cached_property

import httpx
from pydantic_settings import BaseSettings, SettingsConfigDict


class SystemConfig(BaseSettings):
    base_url: str = ""
    connect_timeout: float = 2.0  # looks like CFG-X1
    read_timeout: float = 5.0
    total_timeout: float = 8.0
    pool_size: int = 20
    max_concurrent: int = 16
    max_attempts: int = 3
    backoff_initial: float = 0.2
    backoff_max: float = 1.5
    breaker_failures: int = 10
    breaker_open: timedelta = timedelta(seconds=30)

    @cached_property
    def timeout(self) -> httpx.Timeout:
        return httpx.Timeout(self.read_timeout, connect=self.connect_timeout)  # looks like CFG-X1: from the settings

    @cached_property
    def limits(self) -> httpx.Limits:
        return httpx.Limits(max_connections=self.pool_size, max_keepalive_connections=self.max_concurrent)


class CarrierConfig(SystemConfig):
    model_config = SettingsConfigDict(env_prefix="CARRIER_")


class CustomsConfig(SystemConfig):
    model_config = SettingsConfigDict(env_prefix="CUSTOMS_")
    total_timeout: float = 12.0


class MapsConfig(SystemConfig):
    model_config = SettingsConfigDict(env_prefix="MAPS_")


class WorkerConfig(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="WORKER_")
    idle: float = 1.0
    polls: int = 20
    batch: int = 25
    task_attempts: int = 12
