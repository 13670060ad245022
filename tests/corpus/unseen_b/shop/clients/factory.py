"""Makes clients, breakers and transports for the smaller systems."""
from contextlib import AsyncExitStack
from functools import lru_cache, partial

import aiohttp
import httpx
from aiobreaker import CircuitBreaker
from aiohttp_retry import ExponentialRetry, RetryClient
from httpx import AsyncBaseTransport, AsyncClient, AsyncHTTPTransport, Limits, Timeout
from httpx_retries import RetryTransport as Retrying

from shop import conf
from shop.conf import Outbound
from shop.constants import GEO_BREAKER
from shop.resilience import new_client

plain_client = partial(httpx.AsyncClient, base_url=conf.geo.url, follow_redirects=True)  #! ISO-X2
named_breaker = partial(CircuitBreaker, fail_max=conf.geo.fail_max, timeout_duration=conf.geo.open_for)

geo_breaker = named_breaker(name=GEO_BREAKER)
weather_breaker = named_breaker(name=GEO_BREAKER)  #! CB-X3
mail_breaker = CircuitBreaker(conf.mail.fail_max, conf.mail.open_for, name="mail")
tax_breaker = CircuitBreaker(conf.mail.fail_max, conf.mail.open_for, name="")  #! CB-X3
breakers = {system: CircuitBreaker(c.fail_max, c.open_for) for system, c in [("a", conf.geo), ("b", conf.mail)]}  #! CB-X3
by_name = {n: CircuitBreaker(c.fail_max, c.open_for, name=n) for n, c in [("parcels", conf.geo), ("news", conf.mail)]}


def limits(c: Outbound) -> Limits:
    return Limits(max_connections=c.pool, max_keepalive_connections=c.keepalive)


def timeout(c: Outbound) -> Timeout:
    return Timeout(c.read, connect=c.connect)


def impatient(c: Outbound) -> AsyncClient:
    return AsyncClient(base_url=c.url, limits=limits(c))  #! ISO-X2


async def entered(stack: AsyncExitStack, c: Outbound) -> AsyncClient:
    return await stack.enter_async_context(AsyncClient(base_url=c.url, http2=True))  #! ISO-X2


def sturdy(c: Outbound) -> AsyncClient:
    options = {"retries": c.attempts, "limits": limits(c)}
    return AsyncClient(transport=AsyncHTTPTransport(**options), timeout=timeout(c), limits=limits(c))  #! RE-X4


def wrapped(c: Outbound) -> AsyncClient:
    return AsyncClient(timeout=timeout(c), limits=limits(c), transport=Retrying(transport=AsyncHTTPTransport(limits=limits(c))))  #! RE-X4


def aio_client(c: Outbound, session: aiohttp.ClientSession) -> RetryClient:
    return RetryClient(client_session=session, retry_options=ExponentialRetry(attempts=c.attempts))  #! RE-X4


class StubbornTransport(AsyncBaseTransport):  #! RE-X4
    def __init__(self, inner: AsyncBaseTransport, attempts: int) -> None:
        self.inner, self.attempts = inner, attempts

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        for attempt in range(self.attempts):
            try:
                return await self.inner.handle_async_request(request)
            except httpx.ConnectError:
                if attempt + 1 == self.attempts:
                    raise
        raise RuntimeError("no attempt was made")


class HeaderTransport(AsyncBaseTransport):
    def __init__(self, inner: AsyncBaseTransport, **headers: str) -> None:
        self.inner, self.headers = inner, headers

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.headers.update(self.headers)
        return await self.inner.handle_async_request(request)


def fine(c: Outbound) -> AsyncClient:
    options = {"timeout": timeout(c), "limits": limits(c), "base_url": c.url}
    return AsyncClient(**options, transport=HeaderTransport(AsyncHTTPTransport(limits=limits(c)), team="shop"))


@lru_cache
def geo_http() -> AsyncClient:
    return new_client(conf.geo)


@lru_cache
def mail_http() -> AsyncClient:
    return new_client(conf.mail)
