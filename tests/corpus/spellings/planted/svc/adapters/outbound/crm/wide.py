import aiohttp
import backoff
import httpx
import requests
import stamina
from tenacity import AsyncRetrying, retry, retry_if_exception, retry_if_not_exception_type, retry_if_result, retry_if_exception_type, wait_random_exponential as jitter
def bad(error): return error.response.status_code >= 400
def refused(response): return not response.is_success
ERRORS = (OSError, Exception)
class CrmAdapter:
    @retry(wait=jitter(), retry=retry_if_not_exception_type(ValueError))  #! RE-X2
    async def a(self): ...
    @retry(wait=jitter(), retry=retry_if_exception(bad))  #! RE-X2
    async def b(self): ...
    @retry(wait=jitter(), retry=retry_if_result(refused))  #! RE-X2
    async def c(self): ...
    @retry(wait=jitter(), retry=retry_if_exception(lambda e: not isinstance(e, ValueError)))  #! RE-X2
    async def d(self): ...
    @retry(wait=jitter(), retry=retry_if_exception_type((*ERRORS, TimeoutError)))  #! RE-X2
    async def e(self): ...
    @stamina.retry(on=aiohttp.ClientError)  #! RE-X2
    async def f(self): ...
    @backoff.on_exception(backoff.expo, requests.RequestException)  #! RE-X2
    def g(self): ...
    @backoff.on_predicate(backoff.expo, lambda r: r.status_code != 200)  #! RE-X2
    def h(self): ...
    def i(self):
        return self.a.retry_with(wait=jitter(), retry=retry_if_exception_type(Exception))()  #! RE-X2
    async def j(self):
        policy = AsyncRetrying(wait=jitter(), retry=retry_if_exception_type(OSError))
        return await policy.copy(retry=retry_if_exception_type(Exception))(self.a)  #! RE-X2
    @stamina.retry(on=lambda e: isinstance(e, httpx.HTTPStatusError) and e.response.status_code in (404, 500))  #! RE-X2
    async def k(self): ...
