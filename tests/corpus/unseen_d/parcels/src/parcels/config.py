"""Settings of the outbound systems, one class and one prefix per system."""
from pydantic import BaseModel, Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class SystemSettings(BaseModel):
    connect_timeout: float = 2.0  # looks like CFG-X1
    read_timeout: float = 8.0
    total_timeout: float = 12.0
    max_connections: int = 20  # looks like CFG-X1
    max_concurrent: int = 16
    attempts: int = Field(default=3, ge=1, le=5)  # looks like CFG-X1
    backoff_initial: float = 0.1
    backoff_max: float = 1.0
    fail_max: int = 25
    open_seconds: float = 30.0


class Nordpost(SystemSettings, BaseSettings):
    model_config = SettingsConfigDict(env_prefix="NORDPOST_")
    base_url: str = "https://api.nordpost.example"


class Customs(SystemSettings, BaseSettings):
    model_config = SettingsConfigDict(env_prefix="CUSTOMS_")
    base_url: str = "https://declare.customs.example"
    read_timeout: float = 20.0


class Paywell(SystemSettings, BaseSettings):
    model_config = SettingsConfigDict(env_prefix="PAYWELL_")
    base_url: str = "https://paywell.example"
    fail_max: int = 15
