"""One settings class per system; the prefix is the name of the system."""
from datetime import timedelta
from typing import ClassVar

from pydantic import NonNegativeFloat, PositiveInt
from pydantic_settings import BaseSettings, SettingsConfigDict


class Outbound(BaseSettings):
    url: str = "http://localhost"
    connect: NonNegativeFloat = 2.0
    read: NonNegativeFloat = 5.0
    total: NonNegativeFloat = 8.0
    pool: PositiveInt = 20
    keepalive: PositiveInt = 10
    bulkhead: PositiveInt = 16
    attempts: PositiveInt = 3
    backoff_first: NonNegativeFloat = 0.1
    backoff_cap: NonNegativeFloat = 1.0
    fail_max: PositiveInt = 25
    open_for: timedelta = timedelta(seconds=30)


class Geo(Outbound):
    model_config = SettingsConfigDict(env_prefix="GEO_")
    url: str = "https://geo.example"


class Mail(Outbound):
    model_config = SettingsConfigDict(env_prefix="MAIL_")
    total: NonNegativeFloat = 12.0


class Wallet(Outbound):
    model_config = SettingsConfigDict(env_prefix="WALLET_")
    attempts: PositiveInt = 2


class Search(Outbound):
    model_config = SettingsConfigDict(env_prefix="SEARCH_")
    read: NonNegativeFloat = 3.0


class Jobs(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="JOBS_")
    TABLE: ClassVar[str] = "mail_task"
    interval: NonNegativeFloat = 5.0
    batch: PositiveInt = 50
    max_tries: PositiveInt = 10


geo, mail, wallet, search, jobs = Geo(), Mail(), Wallet(), Search(), Jobs()
