"""One span per attempt, and the context that travels on."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.trace import Span, SpanContext, SpanKind, StatusCode

from {{ cookiecutter.package_name }}.resilience import tracing

from .bank import GOOD, open_bank, swallow
from .simulated import simulated

TRACE_ID = 7


class FakeSpan(Span):
    """Remembers what it was told; the SDK is an optional extra, and not needed to see what the kit does."""

    def __init__(self, number: int, name: str, kind: SpanKind, attributes: Mapping[str, Any]) -> None:
        self.name = name
        self.kind = kind
        self.attributes = dict(attributes)
        self.events: list[str] = []
        self.failed = False
        self.ended = 0
        self._context = SpanContext(TRACE_ID, number, is_remote=False, trace_flags=trace.TraceFlags(1))

    def end(self, end_time: int | None = None) -> None:
        self.ended += 1

    def get_span_context(self) -> SpanContext:
        return self._context

    def set_attributes(self, attributes: Mapping[str, Any]) -> None:
        self.attributes.update(attributes)

    def set_attribute(self, key: str, value: Any) -> None:
        self.attributes[key] = value

    def add_event(self, name: str, attributes: Any = None, timestamp: int | None = None) -> None:
        self.events.append(name)

    def update_name(self, name: str) -> None:
        self.name = name

    def is_recording(self) -> bool:
        return not self.ended

    def set_status(self, status: Any, description: str | None = None) -> None:
        self.failed = status.status_code is StatusCode.ERROR

    def record_exception(self, exception: BaseException, *_: Any, **__: Any) -> None:
        self.events.append(repr(exception))


class FakeTracer:
    """Starts spans."""

    def __init__(self) -> None:
        self.spans: list[FakeSpan] = []

    def start_span(self, name: str, *, kind: SpanKind, attributes: Mapping[str, Any]) -> FakeSpan:
        self.spans.append(FakeSpan(len(self.spans) + 1, name, kind, attributes))
        return self.spans[-1]


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Sequence[FakeSpan]:
    tracer = FakeTracer()
    monkeypatch.setattr(tracing, "_tracer", tracer)
    return tracer.spans


def test_res_obs_2_a_span_per_attempt_names_system_and_state(spans: Sequence[FakeSpan]) -> None:
    @simulated
    async def scenario() -> None:
        async with open_bank(503, GOOD) as opened:
            await opened.bank.balance()

            first, second = spans
            assert (first.name, first.kind) == (f"{opened.name}.balance", SpanKind.CLIENT)
            assert first.attributes == {
                "external.system": opened.name,
                "circuit_breaker.state": "closed",
                "external.outcome": "server_error",
            }
            assert (first.failed, second.failed) == (True, False)
            assert (first.ended, second.ended) == (1, 1)
            assert second.attributes["external.outcome"] == "ok"

    scenario()


def test_the_attempts_context_travels(spans: Sequence[FakeSpan]) -> None:
    @simulated
    async def scenario() -> None:
        async with open_bank() as opened:
            await opened.bank.balance()

            assert opened.script.requests[0].headers["traceparent"] == f"00-{TRACE_ID:032x}-{1:016x}-01"
            assert not trace.get_current_span().get_span_context().is_valid

    scenario()


def test_a_refusal_is_an_event_of_the_callers_span() -> None:
    @simulated
    async def scenario() -> None:
        request = FakeSpan(1, "request", SpanKind.SERVER, {})
        async with open_bank(breaker_mode="forced_open") as opened:
            with trace.use_span(request):
                await swallow(opened.bank.balance())

        assert request.events == ["outbound.rejected"]

    scenario()


def test_a_callers_context_passes_through_without_an_sdk() -> None:
    @simulated
    async def scenario() -> None:
        remote = SpanContext(1, 2, is_remote=True, trace_flags=trace.TraceFlags(1))
        async with open_bank() as opened:
            with trace.use_span(trace.NonRecordingSpan(remote)):
                await opened.bank.balance()

            assert opened.script.requests[0].headers["traceparent"] == f"00-{1:032x}-{2:016x}-01"

    scenario()
