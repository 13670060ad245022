"""How a call proves who it is: nothing, a static header, or an OAuth2 client-credentials token."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import aiohttp
import httpx

from .client import take_queued
from .errors import BadResponseError, PortError, RejectedError, TimedOutError, UnauthorizedError, UnreachableError
from .response import read_json
from .settings import ClientSettings
from .translation import translate

logger = logging.getLogger(__name__)


class Credentials(Protocol):
    """Headers for the next request."""

    async def headers(self) -> Mapping[str, str]:
        """Return what identifies us."""

    def refused(self, used: Mapping[str, str]) -> None:
        """Take note that the system answered 401 to `used`."""


@dataclass(frozen=True, slots=True)
class StaticHeaders:
    """The same headers for every call; an empty mapping for a system that asks for none."""

    fixed: Mapping[str, str]

    async def headers(self) -> Mapping[str, str]:
        """Return what identifies us."""
        return self.fixed

    def refused(self, used: Mapping[str, str]) -> None:
        """Nothing here could be renewed."""


class ClientCredentials:
    """An OAuth2 token (RFC 6749, 4.4), fetched once for all callers and renewed before it ends.

    The fetch runs in a task of its own, so that a caller's end is not everybody's; each caller waits for it within its
    own deadline, inside its own attempt: bulkhead and breaker see a dead token endpoint like any dead system.
    """

    def __init__(
        self, system: str, settings: ClientSettings, client: httpx.AsyncClient, clock: Callable[[], float]
    ) -> None:
        self._system = system
        self._settings = settings
        self._client = client
        self._clock = clock
        self._headers: Mapping[str, str] = {}
        self._fetched_at = 0.0
        self._ends_at = 0.0
        self._fetching: asyncio.Task[None] | None = None

    async def headers(self) -> Mapping[str, str]:
        """Return the token's header, after fetching or renewing it.

        Raises:
            PortError: there is no token to be had.
        """
        if self._clock() < self._ends_at - self._settings.oauth_refresh_before:
            return self._headers
        if (fetching := self._fetching) is None:
            fetching = self._fetching = asyncio.create_task(self._fetch(), name=f"token {self._system}")
            fetching.add_done_callback(self._end_fetch)
        try:
            await asyncio.wait((fetching,))
            if fetching.cancelled():
                raise UnreachableError(self._system, "the client is being closed")
            fetching.result()
        except PortError:
            if self._clock() >= self._ends_at:
                raise
        finally:
            del fetching  # an error's traceback holds this frame: without this the two keep each other alive
        return self._headers

    def refused(self, used: Mapping[str, str]) -> None:
        """Forget a token that the system refused, unless it is young: then a new one would not help."""
        if used is self._headers and self._clock() - self._fetched_at >= self._settings.oauth_min_age:
            self._ends_at = 0.0

    async def close(self) -> None:
        """End a fetch that is under way."""
        if (fetching := self._fetching) is not None:
            fetching.cancel()
            await asyncio.wait((fetching,))

    def _end_fetch(self, fetch: asyncio.Task[None]) -> None:
        self._fetching = None
        if not fetch.cancelled() and (error := fetch.exception()) is not None:
            logger.warning("token.fetch_failed", extra={"system": self._system, "detail": str(error)})

    async def _fetch(self) -> None:
        settings = self._settings
        try:
            async with asyncio.timeout(settings.total_timeout):
                answer = await self._ask()
        except TimeoutError as error:
            raise TimedOutError(self._system, "the token endpoint did not answer in time") from error
        except RejectedError as error:
            raise UnauthorizedError(self._system, f"no token was granted ({error.status})") from error
        match answer:
            case {"access_token": str(token)} if token.isascii() and token.isprintable() and token:
                self._fetched_at = self._clock()
                self._ends_at = self._fetched_at + _lifetime_s(answer, settings.oauth_lifetime)
                self._headers = {"Authorization": f"Bearer {token}"}
            case _:
                raise BadResponseError(self._system, "the token endpoint's answer holds no usable token")

    async def _ask(self) -> Any:
        settings = self._settings
        secret = settings.oauth_client_secret
        form = {"grant_type": "client_credentials"} | ({"scope": settings.oauth_scope} if settings.oauth_scope else {})
        request = self._client.build_request("POST", settings.oauth_token_url or "", data=form)
        auth = httpx.BasicAuth(settings.oauth_client_id or "", "" if secret is None else secret.get_secret_value())
        try:
            response = await self._client.send(request, auth=auth, stream=True)
            try:
                return await read_json(self._system, response, settings)
            finally:
                await response.aclose()
        except (httpx.HTTPError, aiohttp.ClientError) as error:
            raise translate(
                self._system, error, queued=take_queued(), busy_retry_after_s=settings.busy_retry_after
            ) from None


def _lifetime_s(answer: Mapping[str, Any], default_s: float) -> float:
    """Return `expires_in`, which is recommended and not required, and which some systems send as text."""
    try:
        return float(answer.get("expires_in", default_s))
    except (TypeError, ValueError):
        return default_s


@asynccontextmanager
async def open_credentials(
    system: str, settings: ClientSettings, client: httpx.AsyncClient, clock: Callable[[], float]
) -> AsyncIterator[Credentials]:
    """Give what the settings say, and end a fetch that is under way when the guard closes."""
    if settings.oauth_token_url is not None:
        token = ClientCredentials(system, settings, client, clock)
        try:
            yield token
        finally:
            await token.close()
    elif settings.auth_value is not None:
        yield StaticHeaders({settings.auth_header: settings.auth_value.get_secret_value()})
    else:
        yield StaticHeaders({})
