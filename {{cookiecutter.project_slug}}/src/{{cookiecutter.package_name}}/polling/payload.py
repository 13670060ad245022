"""What can be stored as a payload, and when two payloads are the same."""

import hashlib
import json
import math
from collections.abc import Iterable
from typing import Any

import orjson

from .api import JsonObject
from .errors import PayloadError
from .settings import PollingSettings

INTEGERS = range(-(2**63), 2**64)
"""orjson reads any other integer back as a float, silently."""


def stored(payload: JsonObject, settings: PollingSettings) -> str:
    """Return the payload as the text that goes into a jsonb column.

    Raises:
        PayloadError: jsonb would refuse it or give something else back (NUL, NaN, Infinity, lone surrogates, integers
            beyond 64 bits, keys that are no text), or it is larger or deeper than the settings allow.
    """
    _check(payload, settings.payload_max_depth)
    try:
        text = orjson.dumps(payload)
    except (TypeError, ValueError) as error:
        raise PayloadError(f"The payload cannot be stored: {error}") from error
    if len(text) > settings.payload_max_bytes:
        raise PayloadError(f"The payload has {len(text)} bytes; {settings.payload_max_bytes} are allowed.")
    return text.decode()


def fingerprint(value: object) -> str:
    """Return a digest that is equal for equal JSON: order of keys and spelling of numbers (1, 1.0) do not count."""
    text = json.dumps(_canonical(value), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _canonical(value: object) -> object:
    match value:
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {key: _canonical(item) for key, item in value.items()}
        case list() | tuple():
            return [_canonical(item) for item in value]
    return value


def _check(payload: JsonObject, max_depth: int) -> None:
    """Walk level by level: no recursion that a hostile payload could exhaust."""
    level: list[Any] = [payload]
    for _ in range(max_depth + 1):
        if not level:
            return
        level = [child for value in level for child in _children(value)]
    raise PayloadError(f"The payload is nested deeper than {max_depth} levels.")


def _children(value: object) -> Iterable[object]:
    match value:
        case str():
            if "\0" in value:
                raise PayloadError("The payload holds a NUL character.")
        case bool() | None:
            pass
        case int():
            if value not in INTEGERS:
                raise PayloadError("The payload holds an integer beyond 64 bits.")
        case float():
            if not math.isfinite(value):
                raise PayloadError("The payload holds NaN or Infinity.")
        case dict():
            for key in value:
                if "\0" in str(key):
                    raise PayloadError("The payload holds a NUL character.")
            return value.values()
        case list() | tuple():
            return value
    return ()
