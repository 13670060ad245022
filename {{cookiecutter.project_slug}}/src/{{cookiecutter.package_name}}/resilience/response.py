"""What is accepted as an answer: bounded, uncompressed, no redirect, a JSON object; everything else is an error.

Nothing of the answer gets into an error's text but a cut of a 4xx's reason: people need it, logs must not drown in it.
"""

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import httpx
import orjson

from .errors import BadResponseError, RejectedError, SystemFailedError, ThrottledError, UnauthorizedError
from .settings import ClientSettings
from .translation import cut

REASON_FIELDS = ("detail", "reason", "message", "error_description", "error", "title")
"""Where systems say why they refuse, the most telling first (RFC 9457, OAuth2 and what is common beside them)."""

MAX_SECONDS_DIGITS = 9


async def read_json(system: str, response: httpx.Response, settings: ClientSettings) -> Any:
    """Return the parsed body of a 2xx answer; an empty one is an empty object.

    Raises:
        SystemFailedError, ThrottledError, UnauthorizedError, RejectedError: by status.
        BadResponseError: a redirect, compressed, too large, or not JSON.
    """
    await ensure_success(system, response, settings)
    _ensure_plain(system, response)
    content = await _read(system, response, settings.max_response_bytes)
    if not content:
        return {}
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        # The library's error carries the whole document: it must not hang on ours.
        raise BadResponseError(system, "the answer is not JSON") from None


async def read_through(system: str, response: httpx.Response, settings: ClientSettings) -> None:
    """Return when a 2xx answer has come to its end, whatever it says."""
    await ensure_success(system, response, settings)
    await _read(system, response, settings.max_response_bytes)


async def ensure_success(system: str, response: httpx.Response, settings: ClientSettings) -> None:
    """Return for a 2xx, whose body is left unread; raise what the other statuses stand for."""
    status = response.status_code
    if 200 <= status < 300:
        return
    if status >= 500:
        raise SystemFailedError(system, status, retry_after_s=retry_after(response, settings.retry_after_max))
    if status == httpx.codes.TOO_MANY_REQUESTS:
        raise ThrottledError(system, retry_after_s=retry_after(response, settings.retry_after_max))
    if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
        raise UnauthorizedError(system, f"the system does not accept our credentials ({status})")
    if status >= 400:
        raise RejectedError(system, status, await _reason(system, response, settings))
    raise BadResponseError(system, f"unexpected status {status}: redirects are not followed")


def _ensure_plain(system: str, response: httpx.Response) -> None:
    """Refuse a compressed answer: some hundred bytes unpack to gigabytes, and identity was asked for."""
    if response.headers.get("Content-Encoding", "identity").lower() not in ("", "identity"):
        raise BadResponseError(system, "the answer is compressed, and was asked not to be")


async def _read(system: str, response: httpx.Response, limit: int) -> bytes:
    content = b""
    async for chunk in response.aiter_raw():
        content = content + chunk if content else chunk
        if len(content) > limit:
            raise BadResponseError(system, f"the answer is larger than {limit} bytes")
    return content


def retry_after(response: httpx.Response, limit_s: float) -> float | None:
    """Return the seconds that the system asks to be left alone, at most `limit_s`; None without a usable header."""
    value = response.headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:MAX_SECONDS_DIGITS]), limit_s)
    if not value:
        return None
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    return min(max(0.0, moment.timestamp() - time.time()), limit_s)


async def _reason(system: str, response: httpx.Response, settings: ClientSettings) -> str:
    """Say why the system refuses; that it refuses is known already, so a body that cannot be read changes nothing."""
    try:
        answer = orjson.loads(await _read(system, response, settings.max_response_bytes))
    except (orjson.JSONDecodeError, BadResponseError, httpx.HTTPError, aiohttp.ClientError):
        return ""
    if isinstance(answer, Mapping):
        for field in REASON_FIELDS:
            if isinstance(answer.get(field), str):
                return cut(answer[field])
    return ""
