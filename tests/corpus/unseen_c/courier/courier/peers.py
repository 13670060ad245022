"""Which of the depots' servers may be called."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum

from courier.config import CarrierConfig

config = CarrierConfig()
_failures: dict[str, int] = {}
_blocked_until: dict[str, float] = {}


class State(Enum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half-open"


@dataclass
class PeerState:  #! CB-X2
    name: str
    state: State = State.CLOSED
    errors: int = 0
    changed_at: float = field(default_factory=time.monotonic)

    def allow(self) -> bool:
        if self.state is State.OPEN and time.monotonic() - self.changed_at > config.breaker_open.total_seconds():
            self.state = State.HALF_OPEN
        return self.state is not State.OPEN

    def succeeded(self) -> None:
        self.errors = 0
        self.state = State.CLOSED

    def failed(self) -> None:
        self.errors += 1
        if self.state is State.HALF_OPEN or self.errors >= config.breaker_failures:
            self.state = State.OPEN
            self.changed_at = time.monotonic()


async def call_depot(depot: str, call: Callable[[str], Awaitable[dict]]) -> dict | None:  #! CB-X2
    if time.monotonic() < _blocked_until.get(depot, 0.0):
        return None
    try:
        answer = await call(depot)
    except ConnectionError:
        _failures[depot] = _failures.get(depot, 0) + 1
        if _failures[depot] >= config.breaker_failures:
            _blocked_until[depot] = time.monotonic() + config.breaker_open.total_seconds()
        raise
    _failures.pop(depot, None)
    return answer


@dataclass
class DoorState:  # looks like CB-X2: a real door
    state: State = State.CLOSED
    openings: int = 0

    def open(self) -> None:
        self.state = State.OPEN
        self.openings += 1

    def close(self) -> None:
        self.state = State.CLOSED


class ImportReport:  # looks like CB-X2: errors are counted for a report only
    def __init__(self) -> None:
        self.errors = 0
        self.rows = 0

    def add(self, row: dict[str, str]) -> None:
        try:
            float(row["weight"])
        except (KeyError, ValueError):
            self.errors += 1
        else:
            self.rows += 1
