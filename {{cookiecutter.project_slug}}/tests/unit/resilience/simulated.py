"""Time that passes only when everybody waits: policies of seconds and minutes are tested without sleeping."""

import asyncio
import random
import selectors
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec

P = ParamSpec("P")
Test = Callable[P, Coroutine[Any, Any, None]]


class Seeded(random.Random):
    """Randomness that repeats; for jitter and faults, not for secrets."""


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer as soon as nothing else is left to do."""

    def __init__(self) -> None:
        self.now = 1_000.0
        super().__init__(_Jumping(self))

    def time(self) -> float:
        """Return the simulated time."""
        return self.now

    def pass_time(self, seconds: float) -> None:
        """Let time pass with the loop blocked, as a slow call of somebody else would."""
        self.now += seconds


class _Jumping(selectors.DefaultSelector):
    def __init__(self, loop: SimulatedLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is None:
            raise RuntimeError("nobody will ever wake up: everything waits, and no timer is set")
        if not ready and timeout is not None:
            self._loop.now += max(0.0, timeout)
        return ready


def simulated(test: Test[P]) -> Callable[P, None]:
    """Run an async test in simulated time."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
            runner.run(test(*args, **kwargs))

    return run


def pass_time(seconds: float) -> None:
    """Let `seconds` pass at once."""
    loop = asyncio.get_running_loop()
    if not isinstance(loop, SimulatedLoop):
        raise TypeError("time is not simulated here")
    loop.pass_time(seconds)
