"""From what httpx and aiohttp raise to the kit's own errors.

httpx-aiohttp 0.2 reports a refused connection, a full pool and a connection that was dropped **after the request was
read** all as `httpx.ConnectTimeout`. The cause underneath decides, or a write that was carried out would be sent again.
"""

import aiohttp
import httpx

from .errors import BadResponseError, BulkheadFullError, OutcomeUnknownError, PortError, TimedOutError, UnreachableError

MAX_DETAIL = 200
"""Characters of foreign text that may reach a log or a task's row."""

NOT_CONNECTED = (aiohttp.ClientConnectorError, aiohttp.ClientHttpProxyError, aiohttp.ConnectionTimeoutError)
BROKEN_OFF = (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError)
"""Also the base of NOT_CONNECTED: asked after it."""

HTTPX_NOT_CONNECTED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError, httpx.UnsupportedProtocol)
HTTPX_NO_ANSWER = (httpx.ReadTimeout, httpx.WriteTimeout)
HTTPX_BAD_ANSWER = (httpx.DecodingError, httpx.TooManyRedirects)


def cut(text: str) -> str:
    """Return `text` as one printable line of at most 200 characters."""
    return "".join(c if c.isprintable() else " " for c in text[:MAX_DETAIL]).strip()


def translate(system: str, error: Exception, *, queued: bool, busy_retry_after_s: float) -> PortError:
    """Return the port error that a transport's error stands for.

    Args:
        system: the system that was called.
        error: what httpx or aiohttp raised.
        queued: whether the request was still waiting for a free connection.
        busy_retry_after_s: when to try again if so.
    """
    cause = error.__cause__ if isinstance(error, httpx.HTTPError) and error.__cause__ is not None else error
    if isinstance(error, httpx.PoolTimeout) or (queued and isinstance(cause, TimeoutError)):
        # The bulkhead is smaller than the pool, so this is a leak of ours, and nothing to hold against the system.
        return BulkheadFullError(system, "no connection of the pool became free", retry_after_s=busy_retry_after_s)
    if isinstance(cause, aiohttp.ClientError):
        return _from_aiohttp(system, cause)
    if isinstance(error, HTTPX_NOT_CONNECTED):
        return UnreachableError(system, _reason(error))
    if isinstance(error, HTTPX_NO_ANSWER):
        return TimedOutError(system)
    if isinstance(error, HTTPX_BAD_ANSWER):
        return BadResponseError(system, type(error).__name__)
    return _unknown(system, error)


def _unknown(system: str, error: Exception) -> OutcomeUnknownError:
    return OutcomeUnknownError(system, f"the connection broke after the request was sent ({type(error).__name__})")


def _from_aiohttp(system: str, cause: aiohttp.ClientError) -> PortError:
    if isinstance(cause, NOT_CONNECTED):
        return UnreachableError(system, _reason(cause))
    if isinstance(cause, TimeoutError):
        return TimedOutError(system)
    if isinstance(cause, BROKEN_OFF):
        return _unknown(system, cause)
    # Not HTTP, or headers without end. The library's text quotes the answer, so only its kind is told.
    return BadResponseError(system, f"the answer is not acceptable HTTP ({type(cause).__name__})")


def _reason(error: Exception) -> str:
    """Say why there is no connection: the operating system's words, which hold nothing of request or answer."""
    source = getattr(error, "os_error", None) or error
    words = getattr(source, "strerror", None) if isinstance(source, OSError) else None
    return cut(f"no connection: {words or type(source).__name__}")
