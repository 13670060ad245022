from datetime import timedelta
from functools import lru_cache

from pydantic import BaseModel, Field
from pydantic_settings import BaseSettings


class Upstream(BaseModel):
    url: str
    connect: float = Field(default=2.0, gt=0, le=10)  # looks like CFG-X1: settings
    read: float = Field(default=5.0, gt=0, le=60)
    total: float = 8.0
    pool: int = 20
    calls: int = 16
    tries: int = Field(default=3, ge=1, le=5)
    first_pause: float = 0.1
    longest_pause: float = 1.5
    trip_after: int = 10
    rest: timedelta = timedelta(seconds=30)


class Config(BaseSettings):
    stock: Upstream = Upstream(url="https://stock.shop.internal")
    shipping: Upstream = Upstream(url="https://api.shipping.example", connect=5.0)
    tax: Upstream = Upstream(url="https://tax.example", total=9.0)
    pay: Upstream = Upstream(url="https://pay.example", trip_after=3)
    loyalty: Upstream = Upstream(url="https://loyalty.example")
    poll_pause: float = 0.5
    poll_times: int = 8
    job_batch: int = 20
    job_tries: int = 10


@lru_cache
def get_config() -> Config:
    return Config()
