import stamina
from tenacity import retry, retry_if_exception_type, retry_if_exception, wait_chain, wait_exponential_jitter, wait_fixed
def transient(error):
    return isinstance(error, OSError)
class CrmAdapter:
    @retry(wait=wait_exponential_jitter(), retry=retry_if_exception(transient))
    async def a(self): ...
    @stamina.retry(on=(OSError, TimeoutError))
    async def b(self): ...
