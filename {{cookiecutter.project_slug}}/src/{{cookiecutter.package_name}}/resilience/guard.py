"""What stands around every call to one system:

    total budget > retry > open check > bulkhead > circuit breaker > attempt deadline > HTTP

One absolute deadline is computed first and used by every wait below it. The attempt's deadline lies inside the breaker,
so that a hang reaches it as a timeout; a caller's cancellation is counted by nobody and releases everything.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import TypeVar

import httpx

from .attempt import Body, Wire
from .breaker import Breaker
from .bulkhead import Bulkhead
from .call import Line
from .client import build_client, build_transport
from .credentials import open_credentials
from .deadline import ends_at
from .errors import DeadlineExceededError, ExecutionRejectedError
from .metrics import Outcome, SystemMetrics, outcome_of
from .operation import Kind, Operation
from .retry import Retrier
from .settings import ClientSettings
from .tracing import show_refusal

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Parts:
    """What the guards of one system share, whether they retry or not."""

    metrics: SystemMetrics
    bulkhead: Bulkhead
    breaker: Breaker
    retrier: Retrier
    wire: Wire


class Guard:
    """Protects the calls to one system. An adapter holds one, and never a client.

    It is also what a poller asks before it claims work: `room`, `closed_for_s`, `on_change`.
    """

    def __init__(self, name: str, settings: ClientSettings, parts: Parts, *, retries: bool) -> None:
        self.name = name
        self.settings = settings
        self._parts = parts
        self._retries = retries
        self._clock = asyncio.get_running_loop().time

    @property
    def state(self) -> str:
        """The breaker's state: `closed`, `open`, `half_open` or `forced_open`."""
        return self._parts.breaker.state.value

    def single_attempt(self) -> "Guard":
        """Return a guard for tasks: same client, pool, breaker and bulkhead, no retry in memory (R-RES-WHERE-3)."""
        return Guard(self.name, self.settings, self._parts, retries=False)

    def room(self) -> int:
        """How many calls may be begun now: free places of the bulkhead, and the trials while the breaker tries."""
        return self._parts.breaker.room(self._parts.bulkhead.free)

    def closed_for_s(self) -> float:
        """Seconds in which no call will be let through: 0 when one may go now, infinity while forced open."""
        return self._parts.breaker.closed_for_s

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call `callback` whenever the answer of `room` changed by more than calls coming and going."""
        self._parts.breaker.watch(callback)

    def announce(self, operations: Iterable[Operation]) -> None:
        """Create the metrics of these operations, so that their first event is an increase and not a beginning."""
        for operation in operations:
            if operation.kind is not Kind.PROBE:
                self._parts.metrics.calls(operation.name)

    async def execute(self, operation: Operation, body: Body[R], idempotency_key: str | None = None) -> R:
        """Run `body` under the whole protection; adapters come here through `@read`, `@keyed_write` and `@write`.

        Raises:
            ExecutionRejectedError: nothing was sent.
            ExternalSystemError: the system did not do what was asked.
        """
        parts = self._parts
        outcome = Outcome.CANCELLED
        started = time.perf_counter()
        try:
            deadline = self._deadline(self.settings.total_timeout)
            if self._retries and operation.is_repeatable:
                result = await parts.retrier.call(
                    lambda: self._attempt(operation, body, deadline, idempotency_key), deadline
                )
            else:
                result = await self._attempt(operation, body, deadline, idempotency_key)
        except ExecutionRejectedError as error:
            outcome = Outcome.REJECTED
            show_refusal(self.name, error.code)
            raise
        except Exception as error:
            outcome = outcome_of(error)
            raise
        else:
            outcome = Outcome.OK
        finally:
            parts.metrics.calls(operation.name)[outcome].observe(time.perf_counter() - started)
        return result

    async def probe(self, operation: Operation, body: Body[R]) -> R:
        """Run a light probe: through its own small timeout, beside breaker and bulkhead (R-RES-HC-3)."""
        deadline = self._deadline(self.settings.health_timeout)
        return await self._parts.wire.attempt(operation, body, deadline, None, self._parts.breaker.state)

    async def _attempt(self, operation: Operation, body: Body[R], deadline: float, idempotency_key: str | None) -> R:
        breaker, bulkhead, wire = self._parts.breaker, self._parts.bulkhead, self._parts.wire
        breaker.check()
        await bulkhead.acquire(deadline)
        try:
            return await breaker.call(lambda: wire.attempt(operation, body, deadline, idempotency_key, breaker.state))
        finally:
            bulkhead.release()

    def _deadline(self, total_s: float) -> float:
        """Return min(total, remaining - reserve) as an instant of the loop's clock (R-RES-TO-3)."""
        now = self._clock()
        deadline = min(now + total_s, ends_at() - self.settings.budget_reserve)
        if deadline <= now:
            self._parts.metrics.out_of_time()
            raise DeadlineExceededError(self.name)
        return deadline


@asynccontextmanager
async def open_guard(
    name: str,
    settings: ClientSettings,
    *,
    transport: httpx.AsyncBaseTransport | None = None,
    random: Random | None = None,
) -> AsyncIterator[Guard]:
    """Open the system's own client, pool, breaker and bulkhead in the running loop, and close them (R-RES-ISO-1).

    Args:
        name: the system's one name (R-RES-ISO-3).
        settings: the system's own.
        transport: replaces the network, for tests and benchmarks.
        random: source of jitter, for tests.
    """
    clock = asyncio.get_running_loop().time
    metrics = SystemMetrics(name)
    bulkhead = Bulkhead(name, settings, metrics)
    retrier = Retrier(settings, metrics, random or SystemRandom())
    wire = transport or build_transport(settings)
    async with build_client(settings, wire) as client, open_credentials(name, settings, client, clock) as identity:
        line = Line(name, settings, client, wire, identity)
        parts = Parts(metrics, bulkhead, Breaker(name, settings, metrics, clock), retrier, Wire(line, metrics))
        metrics.follow(lambda: bulkhead.in_use, settings.max_concurrent, lambda: retrier.budget.left)
        yield Guard(name, settings, parts, retries=True)
