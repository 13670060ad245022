from functools import lru_cache

from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    LAB_URL: str = "https://lab.example"
    LAB_TOTAL: float = 10.0  # looks like CFG-X1
    LAB_POOL: int = 20
    LAB_CALLS: int = 16  # looks like CFG-X1
    LAB_ATTEMPTS: int = 3
    INSURER_URL: str = "https://insurer.example"
    INSURER_TOTAL: float = 7.0
    INSURER_POOL: int = 10
    INSURER_FAILURES: int = 20
    SMS_URL: str = "https://sms.example"
    SMS_TOTAL: float = 4.0
    SMS_POOL: int = 10
    POLL_MAX: int = 30


@lru_cache
def get_settings() -> Settings:
    return Settings()


settings = get_settings()
