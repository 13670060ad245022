"""Policies shared by the clients."""
import asyncio
import functools
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

import httpx
import tenacity as t

from shop.conf import Outbound

P = ParamSpec("P")
R = TypeVar("R")
TRANSIENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ReadTimeout)


def is_transient(exc: BaseException) -> bool:
    if isinstance(exc, httpx.HTTPStatusError):
        return exc.response.is_server_error
    return isinstance(exc, TRANSIENT)


def retries(conf: Outbound):
    return t.retry(
        stop=t.stop_after_attempt(conf.attempts),
        wait=t.wait_random_exponential(multiplier=conf.backoff_first, max=conf.backoff_cap),
        retry=t.retry_if_exception(is_transient),
        reraise=True,
    )


def with_deadline(seconds: float) -> Callable[[Callable[P, Awaitable[R]]], Callable[P, Awaitable[R]]]:
    def decorate(func: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
        @functools.wraps(func)
        async def inner(*args: P.args, **kwargs: P.kwargs) -> R:
            async with asyncio.timeout(seconds):
                return await func(*args, **kwargs)

        return inner

    return decorate


def new_client(conf: Outbound) -> httpx.AsyncClient:
    timeout = httpx.Timeout(conf.read, connect=conf.connect)
    limits = httpx.Limits(max_connections=conf.pool, max_keepalive_connections=conf.keepalive)
    return httpx.AsyncClient(base_url=conf.url, timeout=timeout, limits=limits)
