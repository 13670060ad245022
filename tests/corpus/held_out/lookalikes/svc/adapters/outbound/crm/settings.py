from pydantic_settings import BaseSettings
import httpx
class CrmSettings(BaseSettings):
    read_timeout: float = 30.0
    fail_max: int = 5
    timeout: httpx.Timeout = httpx.Timeout(10.0)
