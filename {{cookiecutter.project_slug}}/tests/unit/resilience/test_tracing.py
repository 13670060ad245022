"""One span per attempt, and the context that travels on."""

from collections.abc import Iterator

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from {{ cookiecutter.package_name }}.resilience import tracing

from .bank import GOOD, open_bank, swallow
from .simulated import simulated


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(tracing, "_tracer", provider.get_tracer("test"))
    yield exporter
    provider.shutdown()


def test_res_obs_2_a_span_per_attempt_names_system_and_state(spans: InMemorySpanExporter) -> None:
    @simulated
    async def scenario() -> None:
        async with open_bank(503, GOOD) as opened:
            await opened.bank.balance()

            first, second = spans.get_finished_spans()
            assert first.name == f"{opened.name}.balance"
            assert first.kind is trace.SpanKind.CLIENT
            assert dict(first.attributes or {}) == {
                "external.system": opened.name,
                "circuit_breaker.state": "closed",
                "external.outcome": "server_error",
            }
            assert first.status.status_code is trace.StatusCode.ERROR
            assert dict(second.attributes or {})["external.outcome"] == "ok"

    scenario()


def test_the_attempts_context_travels(spans: InMemorySpanExporter) -> None:
    @simulated
    async def scenario() -> None:
        async with open_bank() as opened:
            await opened.bank.balance()

            context = spans.get_finished_spans()[0].get_span_context()
            assert context is not None
            assert f"{context.trace_id:032x}-{context.span_id:016x}" in opened.script.requests[0].headers["traceparent"]

    scenario()


def test_a_refusal_is_an_event_of_the_callers_span(spans: InMemorySpanExporter) -> None:
    @simulated
    async def scenario() -> None:
        async with open_bank(breaker_mode="forced_open") as opened:
            with tracing._tracer.start_as_current_span("request"):
                await swallow(opened.bank.balance())

        (request,) = spans.get_finished_spans()
        assert [event.name for event in request.events] == ["outbound.rejected"]

    scenario()


def test_a_callers_context_passes_through_without_an_sdk() -> None:
    @simulated
    async def scenario() -> None:
        remote = trace.SpanContext(1, 2, is_remote=True, trace_flags=trace.TraceFlags(1))
        async with open_bank() as opened:
            with trace.use_span(trace.NonRecordingSpan(remote)):
                await opened.bank.balance()

            assert opened.script.requests[0].headers["traceparent"] == f"00-{1:032x}-{2:016x}-01"

    scenario()
