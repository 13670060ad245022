"""A task remembers the trace that it was accepted in."""

from uuid import uuid4

from opentelemetry import trace

from {{ cookiecutter.package_name }}.polling.api import ClaimedTask, Completed, Outcome
from {{ cookiecutter.package_name }}.polling.tracing import current_traceparent, handled

TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Handler:
    def __init__(self) -> None:
        self.task: ClaimedTask | None = None

    async def handle(self, task: ClaimedTask) -> Outcome:
        """Complete."""
        self.task = task
        return Completed()


def test_outside_any_trace_there_is_none() -> None:
    assert current_traceparent() is None


def test_inside_a_trace_it_is_the_spans_own() -> None:
    context = trace.SpanContext(0xAF, 0xB7, is_remote=False, trace_flags=trace.TraceFlags(1))

    with trace.use_span(trace.NonRecordingSpan(context)):
        assert current_traceparent() == f"00-{0xAF:032x}-{0xB7:016x}-01"


async def test_a_handler_runs_with_and_without_a_trace() -> None:
    for traceparent in (None, TRACEPARENT, "nonsense"):
        handler = Handler()
        task = ClaimedTask(1, "order_confirmation", 1, uuid4(), {}, None, 0, 0, 1, 1, traceparent)

        assert await handled(handler, task) == Completed()
        assert handler.task is task
