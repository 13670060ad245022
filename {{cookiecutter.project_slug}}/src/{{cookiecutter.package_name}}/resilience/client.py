"""The one HTTP client of one system: httpx's interface on aiohttp's transport (R-RES-ISO-1, R-RES-ISO-X2).

httpx 0.28's own transport loses slots of its pool when calls are cancelled; aiohttp's does not.
Environment proxies, redirects, cookies and compression stay off: what the system sends decides none of them.
"""

import ssl
from contextvars import ContextVar
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import SimpleNamespace

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from .settings import ClientSettings

_queued: ContextVar[bool] = ContextVar("waits_for_a_connection", default=False)


def take_queued() -> bool:
    """Return, once, whether the request that just failed in this task was still waiting for a free connection.

    aiohttp reports that by the same error as a connection that takes too long.
    """
    queued = _queued.get()
    if queued:
        _queued.set(False)
    return queued


def build_client(settings: ClientSettings, transport: httpx.AsyncBaseTransport) -> httpx.AsyncClient:
    """Build the client around `transport`, which it closes with itself."""
    return httpx.AsyncClient(
        base_url=settings.base_url,
        transport=transport,
        timeout=httpx.Timeout(
            connect=settings.connect_timeout,
            read=settings.read_timeout,
            write=settings.write_timeout,
            pool=settings.pool_timeout,
        ),
        headers={"Accept": "application/json", "Accept-Encoding": "identity"},
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        follow_redirects=False,
        trust_env=False,
    )


def build_transport(settings: ClientSettings) -> httpx.AsyncBaseTransport:
    """Build the system's own connection pool, in the running loop."""
    context = _tls(settings)
    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            limit=settings.max_connections,
            keepalive_timeout=settings.keepalive,
            ssl=True if context is None else context,
        ),
        cookie_jar=aiohttp.DummyCookieJar(),
        trace_configs=[_queue_watch()],
        # Here and not on the transport: httpx-aiohttp 0.2 would build aiohttp's deprecated BasicAuth for every call.
        proxy=None if settings.proxy is None else settings.proxy.get_secret_value(),
        trust_env=False,
    )
    # `verify` only keeps the transport from building a context of its own: the session's connector has the real one.
    return AiohttpTransport(client=session, trust_env=False, verify=context or _UNUSED_TLS)


_UNUSED_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _tls(settings: ClientSettings) -> ssl.SSLContext | None:
    """Build the context; None for plain HTTP, because reading the CA bundle takes some 20 ms a system."""
    if not any(url and url.startswith("https:") for url in (settings.base_url, settings.oauth_token_url)):
        return None
    bundle = settings.ca_bundle
    context = httpx.create_ssl_context(trust_env=False) if bundle is None else ssl.create_default_context(cafile=bundle)
    if settings.client_certificate is not None:
        password = settings.client_key_password
        context.load_cert_chain(
            settings.client_certificate,
            settings.client_key,
            None if password is None else password.get_secret_value(),
        )
    return context


def _queue_watch() -> aiohttp.TraceConfig:
    watch = aiohttp.TraceConfig()
    watch.on_connection_queued_start.append(_queue_entered)
    watch.on_connection_queued_end.append(_queue_left)
    return watch


async def _queue_entered(
    _: aiohttp.ClientSession, __: SimpleNamespace, ___: aiohttp.TraceConnectionQueuedStartParams
) -> None:
    _queued.set(True)


async def _queue_left(
    _: aiohttp.ClientSession, __: SimpleNamespace, ___: aiohttp.TraceConnectionQueuedEndParams
) -> None:
    _queued.set(False)
