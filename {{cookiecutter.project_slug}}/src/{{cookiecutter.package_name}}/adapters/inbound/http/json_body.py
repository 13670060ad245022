"""Reads request bodies strictly, so that nothing is accepted which cannot be stored and given back unchanged."""

import re
from collections.abc import Callable, Coroutine
from typing import Any

import orjson
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from {{ cookiecutter.package_name }}.adapters.inbound.http.body_limit import BodyLimit

INVALID = 422

INT64 = 2**63
LONG_INTEGER = re.compile(rb"(?<![\d.eE+-])-?\d{19,}(?![\d.eE])")
"""The parser makes a float of an integer beyond 64 bits, so whether it was one shows in the text only."""


def install(app: FastAPI, *, max_bytes: int, max_depth: int) -> None:
    """Bound what a body may be: its size, and how deep its objects and arrays nest."""
    app.state.max_body_depth = max_depth
    app.add_middleware(BodyLimit, max_bytes=max_bytes)


class JsonRoute(APIRoute):
    """A route whose body is parsed by orjson: no NaN, no Infinity, no lone surrogates, valid UTF-8 only."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Wrap FastAPI's handler so that it parses strictly."""
        handle = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            if self.body_field and not _is_json(request.headers.get("Content-Type", "")):
                raise HTTPException(INVALID, "body: send it with Content-Type: application/json")
            return await handle(_JsonRequest(request.scope, request.receive))

        return handle_strictly


def _is_json(content_type: str) -> bool:
    media_type = content_type.partition(";")[0].strip().lower()
    return media_type == "application/json" or (media_type.startswith("application/") and media_type.endswith("+json"))


class _JsonRequest(Request):
    async def json(self) -> Any:
        body = await self.body()
        document = orjson.loads(body)
        if fault := _fault(document, body, self.app.state.max_body_depth):
            raise HTTPException(INVALID, fault)
        return document


def _fault(document: Any, body: bytes, max_depth: int) -> str:
    """Say what is wrong with a parsed document; level by level, because recursion is what depth attacks."""
    level, depth = [document], 0
    while level:
        depth += 1
        below: list[Any] = []
        for value in level:
            match value:
                case str() if "\0" in value:
                    return "body: a NUL character cannot be stored"
                case float() if abs(value) >= INT64 and LONG_INTEGER.search(body):
                    return "body: an integer beyond 64 bits would lose digits"
                case dict() | list() if depth > max_depth:
                    return f"body: nested deeper than {max_depth} levels"
                case dict():
                    below += [*value.keys(), *value.values()]
                case list():
                    below += value
        level = below
    return ""
