"""The one thing that can send: an adapter's method gets a `Call` for each attempt; nothing else reaches the wire."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
import httpx
import orjson

from .client import take_queued
from .credentials import Credentials
from .deadline import BUDGET_HEADER, format_budget
from .errors import BadResponseError, UnauthorizedError, UnreachableError
from .response import read_json, read_through
from .settings import ClientSettings
from .translation import translate

JsonObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """What all calls to one system share."""

    system: str
    settings: ClientSettings
    client: httpx.AsyncClient
    transport: httpx.AsyncBaseTransport
    credentials: Credentials


class Call:
    """One attempt at one system, usable until the attempt ends.

    Paths are relative to the system's BASE_URL and begin with one slash; quote what comes from outside
    (`urllib.parse.quote(value, safe="")`). Answers are JSON objects; every other answer is raised as a `PortError`.
    """

    __slots__ = ("_deadline", "_headers", "_is_over", "_line", "_wants_body")

    def __init__(self, line: Line, headers: Mapping[str, str], deadline: float, *, wants_body: bool) -> None:
        self._line = line
        self._headers = headers
        self._deadline = deadline
        self._wants_body = wants_body
        self._is_over = False

    async def get(self, path: str, *, params: Mapping[str, str] | None = None) -> JsonObject:
        """GET `path`; a `@probe` gets an empty object, whatever the body."""
        return self._object(await self._send("GET", path, params=params))

    async def get_list(self, path: str, *, params: Mapping[str, str] | None = None) -> list[Any]:
        """GET `path` where the answer is a JSON array."""
        answer = await self._send("GET", path, params=params)
        if not isinstance(answer, list):
            raise BadResponseError(self._line.system, "the answer is not a JSON array")
        return answer

    async def post(self, path: str, json: JsonObject | None = None) -> JsonObject:
        """POST `json` to `path`."""
        return self._object(await self._send("POST", path, json))

    async def put(self, path: str, json: JsonObject | None = None) -> JsonObject:
        """PUT `json` to `path`."""
        return self._object(await self._send("PUT", path, json))

    async def patch(self, path: str, json: JsonObject | None = None) -> JsonObject:
        """PATCH `path` with `json`."""
        return self._object(await self._send("PATCH", path, json))

    async def delete(self, path: str) -> JsonObject:
        """DELETE `path`."""
        return self._object(await self._send("DELETE", path))

    async def options(self, path: str) -> None:
        """Ask with OPTIONS: a probe where the system has no health resource (R-RES-HC-3)."""
        await self._send("OPTIONS", path)

    def end(self) -> None:
        """Let nothing more be sent: the attempt is over."""
        self._is_over = True

    async def _send(
        self, method: str, path: str, json: JsonObject | None = None, params: Mapping[str, str] | None = None
    ) -> Any:
        line = self._line
        if self._is_over:
            raise RuntimeError(f"{line.system}: this call is over; a Call lives as long as the attempt it was given to")
        if not path.startswith("/") or path.startswith("//"):
            raise ValueError(f"{line.system}: a path begins with one slash, and never names a host: {path[:40]!r}")
        if line.client.is_closed:
            raise UnreachableError(line.system, "the client is closed: the service is shutting down")
        identity = await line.credentials.headers()
        left_s = self._deadline - asyncio.get_running_loop().time()
        headers = {**self._headers, **identity, BUDGET_HEADER: format_budget(left_s)}
        content = None
        if json is not None:
            content = orjson.dumps(json, default=_plain)
            headers["Content-Type"] = "application/json"
        request = line.client.build_request(method, path, headers=headers, content=content, params=params)
        try:
            return await self._exchange(request)
        except UnauthorizedError:
            line.credentials.refused(identity)
            raise
        except (httpx.HTTPError, aiohttp.ClientError) as error:
            # Without the library's error behind it: its text may quote the address and the answer.
            raise translate(
                line.system, error, queued=take_queued(), busy_retry_after_s=line.settings.busy_retry_after
            ) from None

    async def _exchange(self, request: httpx.Request) -> Any:
        line = self._line
        # Past `client.send`: it would log every call and read cookies, for a quarter of a call's own time.
        response = await line.transport.handle_async_request(request)
        try:
            if self._wants_body:
                return await read_json(line.system, response, line.settings)
            await read_through(line.system, response, line.settings)
            return {}
        finally:
            await response.aclose()

    def _object(self, answer: Any) -> JsonObject:
        if not isinstance(answer, dict):
            raise BadResponseError(self._line.system, "the answer is not a JSON object")
        return answer


def _plain(value: object) -> object:
    """Let read-only mappings through; everything else that JSON does not know is a defect of the adapter."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"not JSON: {type(value).__name__}")
