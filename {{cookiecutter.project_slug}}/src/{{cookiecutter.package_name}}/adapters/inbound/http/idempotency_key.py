"""The `Idempotency-Key` header: a client's name for one intent, so that asking twice does it once."""

from typing import Annotated

from fastapi import Depends, Header
from starlette.exceptions import HTTPException
from starlette.requests import Request

NAME = "Idempotency-Key"
VISIBLE_ASCII = "^[!-~]+$"
MAX_LENGTH = 255
INVALID = 422


async def _only_key(
    request: Request,
    key: Annotated[str | None, Header(alias=NAME, pattern=VISIBLE_ASCII, max_length=MAX_LENGTH)] = None,
) -> str | None:
    """Return the key; of two keys nobody could say which one was meant."""
    if len(request.headers.getlist(NAME)) > 1:
        raise HTTPException(INVALID, f"{NAME}: sent more than once")
    return key


IdempotencyKey = Annotated[str | None, Depends(_only_key)]
"""Parameter of a route: the key, or None if the client gave none."""
