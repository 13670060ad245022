"""The audit trail. Numbers were tuned on a Friday."""
import asyncio
from datetime import timedelta

import backoff
import httpx
import pybreaker
import stamina
import tenacity as t
from aiobreaker import CircuitBreaker

from ledger.core.settings import S

PAGE = 200
a = S.audit
audit_breaker = CircuitBreaker(a.failures, timedelta(seconds=45), name="audit")  #! CFG-X1
archive_breaker = pybreaker.CircuitBreaker(fail_max=a.failures, reset_timeout=a.open_seconds, name="archive")


def client() -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=S.audit_url, limits=a.limits, timeout=12)  #! CFG-X1


class AuditWriter:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    @stamina.retry(on=httpx.ConnectError, attempts=4)  #! CFG-X1
    async def entries(self, page: int = 1) -> list[dict]:
        async with asyncio.timeout(a.total):
            reply = await self.http.get("/entries", params={"page": page, "size": PAGE})
        return reply.json()

    @backoff.on_exception(backoff.expo, httpx.ConnectError, max_tries=a.attempts, max_time=2 * 2)  #! CFG-X1
    async def actors(self) -> list[str]:
        async with asyncio.timeout(a.total):
            reply = await self.http.get("/actors")
        return reply.json()

    async def kinds(self) -> list[str]:
        policy = t.AsyncRetrying(
            stop=t.stop_after_attempt(a.attempts),
            wait=t.wait_exponential_jitter(initial=0.3, max=a.longest_wait),  #! CFG-X1
            retry=t.retry_if_exception_type(httpx.ConnectError),
        )
        async for attempt in policy:
            with attempt:
                async with asyncio.timeout(a.total):
                    reply = await self.http.get("/kinds")
        return reply.json()

    async def search(self, words: list[str], size: int = 30) -> list[dict]:
        async with asyncio.timeout(a.total):
            reply = await self.http.get("/search", params={"q": " ".join(words[:10]), "size": size})
        return reply.json()["items"][:5]

    async def size(self) -> int:
        async with asyncio.timeout(a.total):
            reply = await self.http.get("/size")
        return round(reply.json()["bytes"] / 1024**2, 1)
