"""The `Idempotency-Key` header: a client's name for one intent, so that asking twice does it once."""

import re
from typing import Annotated

from fastapi import Depends, Header
from starlette.exceptions import HTTPException

KEY = re.compile(r"[!-~]{1,255}")
"""Visible ASCII: it is compared byte by byte and shows up in logs of proxies."""

INVALID = 422


async def _single_key(idempotency_key: Annotated[list[str] | None, Header()] = None) -> str | None:
    match idempotency_key:
        case None | []:
            return None
        case [key] if KEY.fullmatch(key):
            return key
        case [_]:
            raise HTTPException(INVALID, "Idempotency-Key: 1 to 255 visible ASCII characters are needed")
    raise HTTPException(INVALID, "Idempotency-Key: sent more than once")


IdempotencyKey = Annotated[str | None, Depends(_single_key)]
"""Parameter of a route: the key, or None if the client gave none."""
