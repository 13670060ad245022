from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import requests
from httpx import AsyncClient, AsyncHTTPTransport, Limits, Timeout
from httpx_retries import Retry as PluginRetry
from httpx_retries import RetryTransport
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

from app.core.config import Upstream, get_config

config = get_config()


def _timeout(up: Upstream) -> Timeout:
    return Timeout(up.read, connect=up.connect)


def _limits(up: Upstream) -> Limits:
    return Limits(max_connections=up.pool, max_keepalive_connections=up.calls)


def stock_client() -> AsyncClient:
    return AsyncClient(base_url=config.stock.url, timeout=_timeout(config.stock))  #! ISO-X2


def shipping_client() -> AsyncClient:
    options = {"base_url": config.shipping.url, "timeout": _timeout(config.shipping), "limits": _limits(config.shipping)}
    return AsyncClient(**options)  # looks like ISO-X2: all of it is in the mapping


def loyalty_client() -> AsyncClient:
    return httpx.AsyncClient(limits=_limits(config.loyalty), base_url=config.loyalty.url)  #! ISO-X2


@asynccontextmanager
async def pay_client() -> AsyncIterator[AsyncClient]:
    transport = AsyncHTTPTransport(retries=config.pay.tries, limits=_limits(config.pay))  #! RE-X4
    async with AsyncClient(base_url=config.pay.url, transport=transport, timeout=_timeout(config.pay), limits=_limits(config.pay)) as client:
        yield client


def plugin_client(up: Upstream) -> AsyncClient:
    transport = RetryTransport(transport=AsyncHTTPTransport(limits=_limits(up)), retry=PluginRetry(total=up.tries, backoff_factor=up.first_pause))  #! RE-X4
    return AsyncClient(base_url=up.url, transport=transport, timeout=_timeout(up), limits=_limits(up))


def plain_client(up: Upstream) -> AsyncClient:
    transport = AsyncHTTPTransport(retries=0, http2=True, limits=_limits(up))  # looks like RE-X4: none
    return AsyncClient(base_url=up.url, transport=transport, timeout=_timeout(up), limits=_limits(up))


def wide_client(up: Upstream) -> AsyncClient:
    return AsyncClient(base_url=up.url, timeout=_timeout(up), limits=Limits(max_connections=120))  #! CFG-X1


def impatient_client(up: Upstream) -> AsyncClient:
    return AsyncClient(base_url=up.url, timeout=Timeout(6.0, connect=1.0), limits=_limits(up))  #! CFG-X1


def tax_session() -> requests.Session:
    session = requests.Session()
    session.mount("https://", HTTPAdapter(max_retries=Retry(total=config.tax.tries, backoff_factor=config.tax.first_pause)))  #! RE-X4
    return session


def feed_session() -> requests.Session:
    session = requests.Session()
    session.mount("https://", HTTPAdapter(pool_maxsize=config.tax.pool))  # looks like RE-X4: a pool only
    return session
