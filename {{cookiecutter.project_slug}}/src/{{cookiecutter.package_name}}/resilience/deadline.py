"""The time budget that a caller gives us, carried from the inbound request to every outbound call (R-RES-TO-3).

The budget travels as a header with whole milliseconds; inside the process it is one absolute instant on the event
loop's clock. Tasks inherit it from the request that starts them: work that outlives the request starts elsewhere.
"""

import asyncio
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

BUDGET_HEADER = "X-Time-Budget-Ms"
"""In: what our caller still waits. Out: what we still wait. Whole milliseconds, at most nine digits."""

_WHOLE_MS = re.compile(r"[0-9]{1,9}")
_MS_PER_S = 1000

_ends_at: ContextVar[float] = ContextVar("time_budget_ends_at", default=math.inf)


@contextmanager
def budget(seconds: float | None) -> Iterator[None]:
    """Let everything inside end within `seconds`; None sets no limit, and an inner budget never extends an outer."""
    if seconds is None:
        yield
        return
    ends_at = asyncio.get_running_loop().time() + seconds
    token = _ends_at.set(min(ends_at, _ends_at.get()))
    try:
        yield
    finally:
        _ends_at.reset(token)


def ends_at() -> float:
    """Return when the caller's budget ends, on the event loop's clock; infinity without a budget."""
    return _ends_at.get()


def remaining() -> float | None:
    """Return the seconds left of the caller's budget, below zero when it is spent; None without a budget."""
    end = _ends_at.get()
    return None if end == math.inf else end - asyncio.get_running_loop().time()


def parse_budget(value: str) -> float | None:
    """Return the seconds that a header's value grants; None for anything that is not whole milliseconds."""
    return int(value) / _MS_PER_S if _WHOLE_MS.fullmatch(value) else None


def format_budget(seconds: float) -> str:
    """Return the header's value for `seconds` left."""
    return str(max(0, int(seconds * _MS_PER_S)))
