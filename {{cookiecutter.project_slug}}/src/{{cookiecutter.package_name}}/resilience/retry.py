"""Retry in memory: reads and keyed writes, outside tasks (R-RES-RE-1 to R-RES-RE-4). A task's retry is its row.

Outside breaker and bulkhead: every attempt is seen by the breaker, and a waiting retry holds no permit.
"""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState

from .errors import TRANSIENT, ExecutionRejectedError, ExternalSystemError, PortError
from .metrics import RetryDecision, SystemMetrics, Where
from .settings import ClientSettings

R = TypeVar("R")

MAX_DOUBLINGS = 16
"""Keeps the power small; RETRY_BACKOFF_MAX has long cut it by then."""


class RetryBudget:
    """Lets retries be at most RETRY_BUDGET_RATIO of the calls, with a few in reserve."""

    def __init__(self, ratio: float, burst: int) -> None:
        self._ratio = ratio
        self._burst = float(burst) if ratio else 0.0
        self._tokens = self._burst

    @property
    def left(self) -> float:
        """Share that is left, 1 is full."""
        return self._tokens / self._burst if self._burst else 0.0

    def deposit(self) -> None:
        """Count a call."""
        self._tokens = min(self._burst, self._tokens + self._ratio)

    def withdraw(self) -> bool:
        """Take a retry out, if one is left."""
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Retrier:
    """Repeats what failed for a passing reason, as long as time, count and budget allow."""

    def __init__(self, settings: ClientSettings, metrics: SystemMetrics, random: Random) -> None:
        self.settings = settings
        self.metrics = metrics
        self.random = random
        self.clock = asyncio.get_running_loop().time
        self.budget = RetryBudget(settings.retry_budget_ratio, settings.retry_budget_burst)

    async def call(self, attempt: Callable[[], Awaitable[R]], deadline: float) -> R:
        """Return the first success of `attempt`, or raise its last error.

        Args:
            attempt: one try, with everything that protects it.
            deadline: of the whole call, on the event loop's clock; no retry begins after it.

        Raises:
            PortError: of the last attempt that was made; a refusal only if there was none.
        """
        self.budget.deposit()
        started = self.clock()
        try:
            return await attempt()
        except TRANSIENT as error:
            failed: PortError = error
        except ExternalSystemError:
            self.metrics.retries[RetryDecision.NOT_RETRYABLE].inc()
            raise
        # Only a failure pays for tenacity: it takes 40 us a call, and most calls need no second attempt.
        return await self._again(attempt, failed, _Plan(self, failed, started, deadline))

    async def _again(self, attempt: Callable[[], Awaitable[R]], failed: PortError, plan: "_Plan") -> R:
        first = [failed]

        async def once() -> R:  # a function, because tenacity does not await what a lambda returns
            if first:
                raise first.pop()
            return await attempt()

        # One per call: a shared AsyncRetrying mixes up its callers.
        retrying = AsyncRetrying(
            sleep=asyncio.sleep, retry=plan.may_repeat, wait=plan.wait_s, stop=plan.must_stop, reraise=True
        )
        try:
            return await retrying(once)
        except ExecutionRejectedError as refusal:
            # "Nothing was sent" is true of this attempt and not of the call: the error before it is what happened.
            raise plan.last from refusal


class _Plan:
    """What tenacity asks during one call."""

    def __init__(self, retrier: Retrier, failed: PortError, started: float, deadline: float) -> None:
        self._settings = retrier.settings
        self._metrics = retrier.metrics
        self._random = retrier.random
        self._budget = retrier.budget
        self._clock = retrier.clock
        self._started = started
        self._deadline = deadline
        self._waited_s = 0.0
        self.last: PortError = failed
        """What the last attempt that was made met."""

    def may_repeat(self, state: RetryCallState) -> bool:
        """Whether the attempt failed for a passing reason."""
        error = _error(state)
        if isinstance(error, ExternalSystemError) and not isinstance(error, TRANSIENT):
            self._decide(RetryDecision.NOT_RETRYABLE)
        if not isinstance(error, TRANSIENT):
            return False
        self.last = error
        return True

    def wait_s(self, state: RetryCallState) -> float:
        """Full jitter over a growing span, and never less than the system asks for."""
        settings, doublings = self._settings, min(state.attempt_number - 1, MAX_DOUBLINGS)
        span = min(settings.retry_backoff * 2.0**doublings, settings.retry_backoff_max)
        error = _error(state)
        asked_s = (error.retry_after_s if isinstance(error, PortError) else None) or 0.0
        return max(self._random.uniform(0.0, span), asked_s)

    def must_stop(self, state: RetryCallState) -> bool:
        """Whether count, time or budget forbid another attempt; a yes to one takes it out of the budget."""
        if state.attempt_number >= self._settings.retry_attempts:
            return True
        if not self._fits(state.upcoming_sleep):
            self._decide(RetryDecision.DEADLINE)
            self._metrics.deadline_exceeded[Where.BACKOFF].inc()
            return True
        if not self._budget.withdraw():
            self._decide(RetryDecision.BUDGET_EXHAUSTED)
            return True
        self._waited_s += state.upcoming_sleep
        self._decide(RetryDecision.RETRIED)
        return False

    def _fits(self, wait_s: float) -> bool:
        begins_at = self._clock() + wait_s
        return (
            begins_at < self._deadline
            and begins_at - self._started <= self._settings.retry_window
            and self._waited_s + wait_s <= self._settings.retry_wait_max
        )

    def _decide(self, decision: RetryDecision) -> None:
        self._metrics.retries[decision].inc()


def _error(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome is not None else None
