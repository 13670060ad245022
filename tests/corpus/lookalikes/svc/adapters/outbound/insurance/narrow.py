import httpx
from tenacity import retry, retry_if_exception_type, retry_if_exception, retry_if_result, wait_exponential, wait_random_exponential, retry_any
TRANSIENT = (httpx.ConnectError, httpx.ReadTimeout)
def passing(error: BaseException) -> bool:
    return isinstance(error, TRANSIENT)
class InsuranceAdapter:
    @retry(wait=wait_exponential(), retry=retry_if_exception_type(TRANSIENT))
    async def a(self): ...
    @retry(wait=wait_random_exponential(), retry=retry_if_exception(passing))
    async def b(self): ...
    @retry(wait=wait_exponential(), retry=retry_any(retry_if_exception_type(OSError), retry_if_result(pending)))
    async def c(self): ...
    @retry(wait=wait_exponential(), retry=retry_if_exception(lambda e: getattr(e, "status", 0) >= 500))
    async def d(self): ...
