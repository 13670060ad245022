"""The circuit breaker of one system (R-RES-CB-1 to R-RES-CB-6): a library's state machine, told only what it may know.

    closed --(window: too many failures, or too many slow calls)--> open
    open --(open period over, the next call)--> half_open
    half_open --(all trials succeed, none of them slow)--> closed
    half_open --(a trial fails)--> open, for twice as long, up to BREAKER_OPEN_MAX

aiobreaker records results and `Exception`s. So what must not change its state leaves the call as a `BaseException`:
a caller's cancellation, a 4xx, a trial over the limit, the outcome of a call begun in an earlier period.
"""

import logging
import math
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from aiobreaker.circuitbreaker import CircuitBreaker
from aiobreaker.listener import CircuitBreakerListener
from aiobreaker.state import CircuitBreakerBaseState, CircuitBreakerError, CircuitBreakerState

from .breaker_machine import Machine, WindowStorage
from .errors import FAILURES, CircuitOpenError, PortError
from .metrics import Rejection, State, SystemMetrics
from .settings import ClientSettings
from .window import CallWindow, Rates

logger = logging.getLogger(__name__)
R = TypeVar("R")

STATES = {
    CircuitBreakerState.CLOSED: State.CLOSED,
    CircuitBreakerState.OPEN: State.OPEN,
    CircuitBreakerState.HALF_OPEN: State.HALF_OPEN,
}
MAX_DOUBLINGS = 16
"""Keeps the power small; BREAKER_OPEN_MAX has long cut it by then."""

EVENTS = {State.CLOSED: "circuit.closed", State.OPEN: "circuit.opened", State.HALF_OPEN: "circuit.half_opened"}


class _FailedError(Exception):
    """What the machine records as a failure."""


class _Unseen(BaseException):
    """What the machine does not record."""


class _Run(Generic[R]):
    """What became of one call; the machine passes on neither results of unseen calls nor the opening call's error."""

    __slots__ = ("error", "made", "result")

    def __init__(self) -> None:
        self.made = False
        self.result: list[R] = []
        self.error: Exception | None = None


class Breaker(CircuitBreakerListener):
    """Refuses calls to a system that does not answer, and finds out when it does again."""

    def __init__(
        self, system: str, settings: ClientSettings, metrics: SystemMetrics, clock: Callable[[], float]
    ) -> None:
        self._system = system
        self._settings = settings
        self._metrics = metrics
        self._clock = clock
        self._watchers: list[Callable[[], None]] = []
        self._window = CallWindow(
            settings.breaker_window,
            settings.breaker_min_calls,
            settings.breaker_failure_ratio,
            settings.breaker_slow_ratio,
        )
        self._storage = WindowStorage(self._window)
        self._machine = Machine(system, self._storage, self)
        self._disabled = settings.breaker_mode == "disabled"
        self._state = State.FORCED_OPEN if settings.breaker_mode == "forced_open" else State.CLOSED
        self._open_until = math.inf if self._state is State.FORCED_OPEN else -math.inf
        self._period = 0
        self._failed_rounds = 0
        self._trials_running = 0
        self._trials_passed = 0
        metrics.show_state(self._state)
        if settings.breaker_mode != "auto":
            logger.warning("circuit.overridden", extra={"system": system, "mode": settings.breaker_mode})

    @property
    def state(self) -> State:
        """The state as metrics and spans show it."""
        return self._state

    @property
    def closed_for_s(self) -> float:
        """Seconds until a call may go out again: 0 when one may now, infinity while forced open."""
        return max(0.0, self._open_until - self._clock())

    def room(self, free: int) -> int:
        """How many of `free` places a batch of calls may take now; while not closed, the trials that are left."""
        if self._state is State.CLOSED:
            return free
        return 0 if self.closed_for_s else max(0, min(free, self._trials_left))

    def watch(self, callback: Callable[[], None]) -> None:
        """Call `callback` after each change of state, and when a trial gives its place back."""
        self._watchers.append(callback)

    def check(self) -> None:
        """Refuse at once, before the caller queues for the bulkhead.

        Raises:
            CircuitOpenError: the circuit is open, or all trials are taken.
        """
        if self._state is State.CLOSED:
            return
        if self._open_until > self._clock() or self._trials_left <= 0:
            raise self._refusal()

    async def call(self, operation: Callable[[], Awaitable[R]]) -> R:
        """Run `operation` and let the machine know how it went.

        Raises:
            CircuitOpenError: nothing was run. Otherwise what `operation` raises, unchanged.
        """
        if self._disabled:
            return await operation()
        self.check()
        run: _Run[R] = _Run()
        try:
            await self._machine.call_async(self._observed, operation, run)
        except (CircuitBreakerError, _FailedError, _Unseen):
            if not run.made:
                raise self._refusal() from None
        # Taken out, because the machine's own frames hold `run`, and an exception of its that holds its frames.
        error, run.error = run.error, None
        if error is not None:
            try:
                raise error
            finally:
                del error  # its traceback holds this frame
        return run.result.pop()

    async def _observed(self, operation: Callable[[], Awaitable[R]], run: _Run[R]) -> None:
        """Run under the machine's eyes: return for a success, raise `_FailedError` or `_Unseen` otherwise."""
        trial = self._state is State.HALF_OPEN
        if trial and self._trials_left <= 0:
            raise _Unseen
        period = self._period
        self._trials_running += trial
        started = self._clock()
        try:
            run.result.append(await operation())
        except PortError as error:
            run.error = error
        except Exception as error:
            run.error = error
            raise _Unseen from error
        finally:
            run.made = True
            if trial and period == self._period:
                self._trials_running -= 1
                self._tell()
        if run.error is not None:
            raise self._seen(run.error, period, started)
        self._succeed(period, started, trial=trial)

    def _seen(self, error: Exception, period: int, started: float) -> BaseException:
        if period != self._period or not isinstance(error, FAILURES):
            return _Unseen()
        self._storage.slow = self._is_slow(started)
        return _FailedError()

    def _succeed(self, period: int, started: float, *, trial: bool) -> None:
        if period != self._period:
            raise _Unseen
        self._storage.slow = self._is_slow(started)
        if not trial:
            return
        if self._storage.slow:
            raise _FailedError
        self._trials_passed += 1
        if self._trials_passed < self._settings.breaker_trials:
            raise _Unseen

    def _is_slow(self, started: float) -> bool:
        return self._clock() - started >= self._settings.slow_after_s

    @property
    def _trials_left(self) -> int:
        return self._settings.breaker_trials - self._trials_running - self._trials_passed

    def _refusal(self) -> CircuitOpenError:
        self._metrics.rejections[Rejection.BREAKER_OPEN].inc()
        wait_s = self.closed_for_s
        if wait_s == math.inf:
            wait_s = self._settings.breaker_open
        return CircuitOpenError(self._system, retry_after_s=wait_s or self._settings.busy_retry_after)

    def success(self, breaker: CircuitBreaker) -> None:
        """Open on a good call, too, when it completes a window that is sick: aiobreaker looks only after failures."""
        if self._storage.counter:
            self._machine.open()

    def state_change(
        self, breaker: CircuitBreaker, old: CircuitBreakerBaseState | None, new: CircuitBreakerBaseState
    ) -> None:
        """Take in the machine's new state; must not raise, or the machine would stay half way."""
        before, rates = self._state, self._rates()
        self._state = STATES[new.state]
        self._period += 1
        self._trials_running = self._trials_passed = 0
        self._open_until = -math.inf
        if self._state is State.OPEN:
            self._failed_rounds += before is State.HALF_OPEN
            self._open_until = self._clock() + self._open_period_s()
        elif self._state is State.CLOSED:
            self._failed_rounds = 0
        self._metrics.show_state(self._state)
        self._metrics.transitions[self._state].inc()
        logger.warning(
            EVENTS[self._state],
            extra={
                "system": self._system,
                "old": before.value,
                "new": self._state.value,
                "failure_rate": rates.failure_rate,
                "slow_rate": rates.slow_rate,
                "calls": rates.calls,
                "open_for_s": self.closed_for_s,
            },
        )
        self._tell()

    def _rates(self) -> Rates:
        """What led to a change: the window while closed, else the trials that were done."""
        if self._state is not State.HALF_OPEN:
            return self._window.rates
        passed, trials = self._trials_passed, self._settings.breaker_trials
        failed = 0 if passed == trials else 1
        return Rates(passed + failed, round(failed / (passed + failed), 3), 0.0)

    def _open_period_s(self) -> float:
        doublings = min(self._failed_rounds, MAX_DOUBLINGS)
        return min(self._settings.breaker_open * 2.0**doublings, self._settings.breaker_open_max)

    def _tell(self) -> None:
        for callback in self._watchers:
            try:
                callback()
            except Exception:
                logger.exception("circuit.watcher_failed", extra={"system": self._system})
