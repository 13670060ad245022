import asyncio
import functools
import random
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_fixed, wait_random_exponential
from hub.core.config import config
TRANSIENT = (ConnectionError, TimeoutError)
class Retrier:
    def __init__(self, attempts, pause):
        self.attempts, self.pause = attempts, pause
    def __call__(self, fn):
        @functools.wraps(fn)
        async def wrapper(*args, **kwargs):
            last = None
            for attempt in range(self.attempts):
                try:
                    return await fn(*args, **kwargs)
                except TRANSIENT as error:
                    last = error
                    await asyncio.sleep(self.pause)  #! RE-X3
            raise last
        return wrapper
def steady():
    return AsyncRetrying(stop=stop_after_attempt(config.n), wait=wait_fixed(config.pause), retry=retry_if_exception_type(TRANSIENT))  #! RE-X3
def backing(fn):
    @functools.wraps(fn)
    async def wrapper(*args, **kwargs):
        async for attempt in AsyncRetrying(stop=stop_after_attempt(config.n), wait=wait_random_exponential(max=config.cap), retry=retry_if_exception_type(TRANSIENT)):
            with attempt:
                return await fn(*args, **kwargs)
    return wrapper
