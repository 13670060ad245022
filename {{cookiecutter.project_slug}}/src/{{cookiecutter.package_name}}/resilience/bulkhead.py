"""The bulkhead of one system: as many calls in flight as are allowed, and a short queue (R-RES-BH-1 to R-RES-BH-3).

An `asyncio.Semaphore` in the caller's own task, so that context variables stay. Built in the running loop: a semaphore
that once waited belongs to its loop.
"""

import asyncio

from .errors import BulkheadFullError, DeadlineExceededError
from .metrics import Rejection, SystemMetrics
from .settings import ClientSettings


class Bulkhead:
    """Hands out permits; whoever got one gives it back in a `finally`."""

    def __init__(self, system: str, settings: ClientSettings, metrics: SystemMetrics) -> None:
        self._system = system
        self._settings = settings
        self._metrics = metrics
        self._semaphore = asyncio.Semaphore(settings.max_concurrent)
        self._clock = asyncio.get_running_loop().time
        self._in_use = 0

    @property
    def in_use(self) -> int:
        """Permits that are out."""
        return self._in_use

    @property
    def free(self) -> int:
        """Permits that are left."""
        return self._settings.max_concurrent - self._in_use

    async def acquire(self, deadline: float) -> None:
        """Take a permit, waiting at most BULKHEAD_WAIT and never beyond `deadline` (on the loop's clock).

        Raises:
            BulkheadFullError: all permits stayed out.
            DeadlineExceededError: the deadline came first.
        """
        if self._semaphore.locked():
            await self._queue(deadline)
        else:
            await self._semaphore.acquire()
            self._metrics.bulkhead_wait.observe(0.0)
        self._in_use += 1

    def release(self) -> None:
        """Give a permit back."""
        self._in_use -= 1
        self._semaphore.release()

    async def _queue(self, deadline: float) -> None:
        started = self._clock()
        until = min(deadline, started + self._settings.bulkhead_wait)
        if until <= started:  # entering a timeout that has passed swallows a pending cancellation
            raise self._refusal(deadline, until)
        try:
            async with asyncio.timeout_at(until):
                await self._semaphore.acquire()
        except TimeoutError:
            raise self._refusal(deadline, until) from None
        finally:
            self._metrics.bulkhead_wait.observe(self._clock() - started)

    def _refusal(self, deadline: float, until: float) -> BulkheadFullError | DeadlineExceededError:
        if deadline <= until:
            self._metrics.out_of_time()
            return DeadlineExceededError(self._system)
        self._metrics.rejections[Rejection.BULKHEAD_FULL].inc()
        return BulkheadFullError(self._system, retry_after_s=self._settings.busy_retry_after)
