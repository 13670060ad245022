import asyncio
import aiohttp
import backoff
import requests
import stamina
import tenacity
import trio
from aiolimiter import AsyncLimiter
from circuitbreaker import CircuitBreaker
from purgatory import AsyncCircuitBreakerFactory
class CrmAdapter:
    READ_S = 5
    def __init__(self, attempts: int = 3):
        self._attempts = attempts
    def a(self): return aiohttp.ClientTimeout(total=10)  #! CFG-X1
    def b(self): return aiohttp.TCPConnector(limit=20)  #! CFG-X1
    def c(self): return tenacity.stop_after_delay(2)  #! CFG-X1
    async def d(self, tasks): await asyncio.wait(tasks, timeout=3)  #! CFG-X1
    async def e(self):
        with trio.fail_after(self.READ_S):  #! CFG-X1
            await self.x()
    def f(self): return CircuitBreaker(failure_threshold=5, name="crm")  #! CFG-X1
    def g(self): return AsyncCircuitBreakerFactory(default_threshold=5, default_ttl=30)  #! CFG-X1
    def h(self): return stamina.AsyncRetryingCaller(attempts=4)  #! CFG-X1
    def i(self): return tenacity.stop_after_attempt(self._attempts)  #! CFG-X1
    def j(self): return requests.get("https://crm/x", timeout=3)  #! CFG-X1
    @backoff.on_predicate(backoff.expo, max_time=20)  #! CFG-X1
    def k(self): ...
    def l(self): return tenacity.wait_exponential_jitter(initial=0.1, max=s.m)  #! CFG-X1
    def m(self): return AsyncLimiter(10)  #! CFG-X1
    async def n(self):
        async with asyncio.timeout(delay=2.5):  #! CFG-X1
            await self.x()
    def o(self): return self.client.build_request("GET", "/x", timeout=4)  #! CFG-X1
