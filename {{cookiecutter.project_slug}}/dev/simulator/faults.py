"""What can be wrong with an answer, down to the bytes on the wire."""

import asyncio
import gzip
import io
import json
from collections.abc import Mapping
from functools import cache

from aiohttp import web

DRIP_PAUSE_S = 0.5
"""Between two bytes: no read time-out of a sane client notices, its total one must."""

LOOK_PAUSE_S = 0.02
BOMB_BYTES = 64 * 1024 * 1024
"""What the bomb becomes when unpacked; on the wire it is a thousandth of that."""

JSON = "application/json"


async def hang(request: web.Request) -> web.StreamResponse:
    """Never answer; ends when the client has gone."""
    while await _still_there(request):  # rules: ignore ASYNC-X1 -- to hang is the fault that is simulated
        pass
    return web.Response(status=503)  # goes nowhere


async def disconnect(request: web.Request) -> web.StreamResponse:
    """Close the connection instead of answering."""
    if request.transport:
        request.transport.abort()
    return web.Response(status=503)  # goes nowhere


async def drip(request: web.Request, status: int, document: Mapping[str, object]) -> web.StreamResponse:
    """Answer byte by byte, long pauses between."""
    body = _encoded(document)
    response = await _begun(request, status, len(body))
    for position in range(len(body)):
        if _gone(request):
            break
        await response.write(body[position : position + 1])
        await asyncio.sleep(DRIP_PAUSE_S)
    return response


async def half_body(request: web.Request, status: int, document: Mapping[str, object]) -> web.StreamResponse:
    """Promise a body, send half of it and close the connection."""
    body = _encoded(document)
    response = await _begun(request, status, len(body))
    await response.write(body[: len(body) // 2])
    if request.transport:
        request.transport.close()
    return response


def malformed(status: int, document: Mapping[str, object]) -> web.Response:
    """Answer with JSON that ends too early, complete as far as HTTP can tell."""
    body = _encoded(document)
    return web.Response(status=status, body=body[: len(body) // 2], content_type=JSON)


def gzip_bomb(status: int) -> web.Response:
    """Answer with valid JSON that is small on the wire and huge in memory."""
    return web.Response(status=status, body=_bomb(), content_type=JSON, headers={"Content-Encoding": "gzip"})


@cache
def _bomb() -> bytes:
    packed, megabyte = io.BytesIO(), b"x" * 1024 * 1024
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9, mtime=0) as archive:
        archive.write(b'{"id": "')
        for _ in range(BOMB_BYTES // len(megabyte)):
            archive.write(megabyte)
        archive.write(b'"}')
    return packed.getvalue()


async def _begun(request: web.Request, status: int, length: int) -> web.StreamResponse:
    response = web.StreamResponse(status=status, headers={"Content-Type": JSON, "Content-Length": str(length)})
    await response.prepare(request)
    return response


def _encoded(document: Mapping[str, object]) -> bytes:
    return json.dumps(document).encode()


async def _still_there(request: web.Request) -> bool:
    await asyncio.sleep(LOOK_PAUSE_S)
    return not _gone(request)


def _gone(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()
