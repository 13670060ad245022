"""The last calls of a system, and what they say about it (R-RES-CB-2, R-RES-CB-3, R-RES-CB-5)."""

from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rates:
    """What a window holds."""

    calls: int
    failure_rate: float
    slow_rate: float


class CallWindow:
    """Counts failed and slow calls among the last `size`; judges from `min_calls` on."""

    def __init__(self, size: int, min_calls: int, failure_ratio: float, slow_ratio: float) -> None:
        self._calls: deque[tuple[bool, bool]] = deque(maxlen=size)
        self._min_calls = min_calls
        self._failure_ratio = failure_ratio
        self._slow_ratio = slow_ratio
        self._failed = 0
        self._slow = 0

    def __len__(self) -> int:
        return len(self._calls)

    def add(self, *, failed: bool, slow: bool) -> None:
        """Take in one call and forget the oldest beyond the window."""
        if len(self._calls) == self._calls.maxlen:
            gone_failed, gone_slow = self._calls[0]
            self._failed -= gone_failed
            self._slow -= gone_slow
        self._calls.append((failed, slow))
        self._failed += failed
        self._slow += slow

    def clear(self) -> None:
        """Forget everything."""
        self._calls.clear()
        self._failed = self._slow = 0

    @property
    def is_sick(self) -> bool:
        """Whether too many of the last calls failed or were slow."""
        calls = len(self._calls)
        return calls >= self._min_calls and (
            self._failed >= self._failure_ratio * calls or self._slow >= self._slow_ratio * calls
        )

    @property
    def rates(self) -> Rates:
        """Return the shares, for the log."""
        calls = len(self._calls)
        return (
            Rates(calls, round(self._failed / calls, 3), round(self._slow / calls, 3)) if calls else Rates(0, 0.0, 0.0)
        )
