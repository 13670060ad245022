"""One CLIENT span per attempt, and the context that travels with it (R-RES-OBS-2).

OpenTelemetry's API only: without an SDK this costs a few microseconds and still passes on a caller's `traceparent`.
The httpx instrumentation does not see aiohttp's transport; do not add it.
"""

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager

from opentelemetry import context as otel_context
from opentelemetry import propagate, trace
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from .metrics import Outcome, State

_tracer = trace.get_tracer(__name__)


@contextmanager
def attempt_span(system: str, operation: str, state: State, headers: MutableMapping[str, str]) -> Iterator[Span]:
    """Open the span, make it current, and write its context into `headers`."""
    span = _tracer.start_span(
        f"{system}.{operation}",
        kind=SpanKind.CLIENT,
        attributes={"external.system": system, "circuit_breaker.state": state.value},
    )
    current = trace.set_span_in_context(span)
    token = otel_context.attach(current)
    try:
        propagate.inject(headers, current)
        yield span
    finally:
        otel_context.detach(token)
        span.end()


def show_outcome(span: Span, outcome: Outcome) -> None:
    """Put the outcome on the span, without any text of an error."""
    span.set_attribute("external.outcome", outcome.value)
    if outcome is not Outcome.OK:
        span.set_status(Status(StatusCode.ERROR, outcome.value))


def show_refusal(system: str, code: str) -> None:
    """Note on the caller's span that nothing was sent: a refusal is no attempt and has no span of its own."""
    trace.get_current_span().add_event("outbound.rejected", {"external.system": system, "reason": code})
