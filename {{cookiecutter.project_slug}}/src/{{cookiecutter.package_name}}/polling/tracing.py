"""The trace that a task belongs to, kept in its row because hours may pass before it is run."""

from collections.abc import Coroutine
from typing import Any

from opentelemetry import trace
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from .api import ClaimedTask, Outcome, TaskHandler

_propagator = TraceContextTextMapPropagator()
_tracer = trace.get_tracer(__name__)


def current_traceparent() -> str | None:
    """Return the `traceparent` of the current span, None outside any trace."""
    if not trace.get_current_span().get_span_context().is_valid:
        return None
    carrier: dict[str, str] = {}
    _propagator.inject(carrier)
    return carrier.get("traceparent")


def handled(handler: TaskHandler, task: ClaimedTask) -> Coroutine[Any, Any, Outcome]:
    """Return the step of a handler, in a span of its own when the task was accepted in a trace."""
    return handler.handle(task) if task.traceparent is None else _in_span(handler, task, task.traceparent)


async def _in_span(handler: TaskHandler, task: ClaimedTask, traceparent: str) -> Outcome:
    # A link, not a child: the request that queued the task may have ended hours ago.
    accepted_in = trace.get_current_span(_propagator.extract({"traceparent": traceparent})).get_span_context()
    with _tracer.start_as_current_span(
        f"task {task.task}",
        kind=trace.SpanKind.CONSUMER,
        links=[trace.Link(accepted_in)] if accepted_in.is_valid else [],
        attributes={"task.name": task.task, "task.claim_no": task.claim_no, "task.retry_count": task.retry_count},
    ):
        return await handler.handle(task)
