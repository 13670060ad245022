"""The innermost part: one attempt at the wire, under its deadline, with its span, its metric and its log line."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from pydantic import ValidationError

from .call import Call, Line
from .errors import (
    FAILURES,
    BadResponseError,
    BulkheadFullError,
    DeadlineExceededError,
    PortError,
    ThrottledError,
    TimedOutError,
    UnauthorizedError,
)
from .metrics import Outcome, Rejection, State, SystemMetrics, Where, outcome_of
from .operation import Kind, Operation
from .tracing import attempt_span, show_outcome
from .translation import cut

logger = logging.getLogger(__name__)
R = TypeVar("R")
Body = Callable[[Call], Awaitable[R]]

TOLD = (*FAILURES, ThrottledError, UnauthorizedError)
"""Ends of an attempt that an operator has to see; a refused request is everyday business."""


class Wire:
    """Makes attempts for one system."""

    def __init__(self, line: Line, metrics: SystemMetrics) -> None:
        self._line = line
        self._metrics = metrics
        self._clock = asyncio.get_running_loop().time

    async def attempt(
        self, operation: Operation, body: Body[R], deadline: float, idempotency_key: str | None, state: State
    ) -> R:
        """Run `body` with a `Call` until `deadline` (on the loop's clock).

        Raises:
            DeadlineExceededError: it has passed already; nothing was sent.
            PortError: what became of the call otherwise.
        """
        system = self._line.system
        if deadline <= self._clock():  # entering a timeout that has passed swallows a pending cancellation
            self._metrics.out_of_time()
            raise DeadlineExceededError(system)
        headers: dict[str, str] = {}
        if idempotency_key is not None:
            headers[self._line.settings.idempotency_header] = idempotency_key
        outcome = Outcome.CANCELLED
        started = time.perf_counter()
        with attempt_span(system, operation.name, state, headers) as span:
            call = Call(self._line, headers, deadline, wants_body=operation.kind is not Kind.PROBE)
            try:
                result = await self._within(deadline, body, call)
            except PortError as error:
                outcome = outcome_of(error)
                self._tell(operation, error, time.perf_counter() - started)
                raise
            except Exception as error:
                outcome = outcome_of(error)
                raise
            else:
                outcome = Outcome.OK
            finally:
                call.end()
                show_outcome(span, outcome)
                if operation.kind is not Kind.PROBE:
                    self._observe(outcome, time.perf_counter() - started)
        return result

    async def _within(self, deadline: float, body: Body[R], call: Call) -> R:
        system = self._line.system
        try:
            async with asyncio.timeout_at(deadline) as limit:
                return await body(call)
        except TimeoutError as error:
            if limit.expired():
                self._metrics.deadline_exceeded[Where.ATTEMPT].inc()
            raise TimedOutError(system) from error
        except ExceptionGroup as group:
            # A body that asks two things at once, in a TaskGroup: the first of their errors speaks for the call.
            ours, others = group.split(PortError)
            if ours is None or others is not None:
                raise
            raise first_of(ours) from None
        except ValidationError as error:
            # pydantic's own text quotes the answer: fields and kinds of error are told, values are not.
            faults = ", ".join(
                f"{'.'.join(map(str, fault['loc']))} {fault['type']}"
                for fault in error.errors(include_url=False, include_input=False, include_context=False)
            )
            raise BadResponseError(system, cut(f"the answer breaks its schema: {faults}")) from None

    def _observe(self, outcome: Outcome, duration_s: float) -> None:
        if outcome is not Outcome.REJECTED:
            self._metrics.attempts[outcome].observe(duration_s)

    def _tell(self, operation: Operation, error: PortError, duration_s: float) -> None:
        """One line per failed attempt: the breaker keeps them few, and cause and time are what people look for."""
        leak = isinstance(error, BulkheadFullError) and error.system == self._line.system
        if leak:  # the bulkhead let the call in, and then the larger pool had no connection for it
            self._metrics.rejections[Rejection.BULKHEAD_FULL].inc()
        if leak or (isinstance(error, TOLD) and operation.kind is not Kind.PROBE):
            logger.log(
                logging.ERROR if leak else logging.WARNING,
                "pool.exhausted" if leak else "outbound.attempt_failed",
                extra={
                    "system": error.system,
                    "operation": operation.name,
                    "code": error.code,
                    "sent": error.sent.value,
                    "detail": error.detail,
                    "duration_s": round(duration_s, 6),
                },
            )


def first_of(group: ExceptionGroup[PortError]) -> PortError:
    """Return the first error of a group, however deep it lies."""
    first = group.exceptions[0]
    return first_of(first) if isinstance(first, ExceptionGroup) else first
