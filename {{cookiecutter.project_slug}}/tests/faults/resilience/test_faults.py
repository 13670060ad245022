"""Every fault of a real connection: what the caller saw, what reached the other side, what told the operator.

After each of them the pool has all its slots, the bulkhead all its permits, and the next healthy call works.
"""

import asyncio
import tracemalloc
from dataclasses import dataclass

import pytest

from {{ cookiecutter.package_name }}.resilience.errors import (
    BadResponseError,
    BulkheadFullError,
    OutcomeUnknownError,
    PortError,
    Sent,
    SystemFailedError,
    ThrottledError,
    TimedOutError,
    UnreachableError,
)

from . import misbehaving as faults
from .guarded import Guarded, open_guarded, told
from .misbehaving import Answer, Misbehaving, misbehaving, refused_address, slow_to_accept
from tests.unit.resilience.bank import swallow


@dataclass(frozen=True)
class Fault:
    """A way to misbehave, and what the kit makes of it."""

    name: str
    answer: Answer
    error: type[PortError]
    outcome: str
    sent: Sent = Sent.UNKNOWN
    reads: bool = True


FAULTS = [
    Fault("hang", faults.hang, TimedOutError, "timeout"),
    Fault("drip", faults.drip, TimedOutError, "timeout"),
    Fault("drip_headers", faults.drip_headers, TimedOutError, "timeout"),
    Fault("disconnect_before", faults.good, OutcomeUnknownError, "protocol_error", reads=False),
    Fault("disconnect_after", faults.disconnect_after, OutcomeUnknownError, "protocol_error"),
    Fault("reset_after", faults.reset_after, OutcomeUnknownError, "protocol_error"),
    Fault("half_body", faults.raw(faults.GOOD[:-10]), OutcomeUnknownError, "protocol_error"),
    Fault(
        "wrong_length",
        faults.raw(faults.GOOD.replace(b"Content-Length: 42", b"Content-Length: 20"), keep=True),
        BadResponseError,
        "protocol_error",
    ),
    Fault("not_http", faults.raw(b"220 mail.test ESMTP 4111-1111\r\n"), BadResponseError, "protocol_error"),
    Fault("not_json", faults.raw(faults.GOOD.replace(b'{"id"', b'<"id"')), BadResponseError, "protocol_error"),
    Fault("gzip_bomb", faults.gzip_bomb(twice=False), BadResponseError, "protocol_error"),
    Fault("double_gzip_bomb", faults.gzip_bomb(twice=True), BadResponseError, "protocol_error"),
    Fault("endless_headers", faults.endless_headers, BadResponseError, "protocol_error"),
    Fault("endless_body", faults.endless_body, BadResponseError, "protocol_error"),
    Fault("redirect", faults.status(302, "Location: /elsewhere"), BadResponseError, "protocol_error"),
    Fault("failure", faults.status(500), SystemFailedError, "server_error"),
    Fault("unavailable", faults.status(503, "Retry-After: 7"), SystemFailedError, "server_error"),
    Fault("throttled", faults.status(429, "Retry-After: 7"), ThrottledError, "throttled", Sent.REFUSED),
]


def expose(server: Misbehaving, fault: Fault) -> None:
    server.answer, server.reads = fault.answer, fault.reads


async def assert_recovers(guarded: Guarded) -> None:
    guarded.assert_whole()
    assert await guarded.task_bank.balance() == 7
    guarded.assert_whole()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
@pytest.mark.parametrize("warm", [False, True], ids=["new_connection", "kept_connection"])
async def test_a_fault_has_its_error_its_metric_and_its_log_line(
    fault: Fault, warm: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async with misbehaving() as server, open_guarded(server.address) as guarded:
        if warm:
            await guarded.task_bank.balance()
        server.requests.clear()
        expose(server, fault)

        error = await swallow(guarded.task_bank.notify("x"))

        if warm and not fault.reads:  # the server only stops reading after the next request
            assert error is None
            error = await swallow(guarded.task_bank.notify("x"))
        assert type(error) is fault.error
        assert error.sent is fault.sent
        assert len(server.requests) <= 1 + (warm and not fault.reads)
        assert guarded.attempts(fault.outcome) == 1
        assert told(caplog, "outbound.attempt_failed", error)
        assert "4111-1111" not in f"{error}{error.__cause__}" + "".join(str(r.__dict__) for r in caplog.records)
        server.heal()
        await assert_recovers(guarded)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_a_burst_of_faults_opens_the_breaker_and_is_over_when_the_system_is_back(
    fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        misbehaving() as server,
        open_guarded(server.address, breaker_min_calls=5, breaker_open=0.2) as guarded,
    ):
        expose(server, fault)

        await asyncio.gather(*(swallow(guarded.task_bank.balance()) for _ in range(5)))

        counts = fault.error is not ThrottledError
        assert guarded.guard.state == ("open" if counts else "closed")
        assert [r.getMessage() for r in caplog.records].count("circuit.opened") == counts
        server.heal()
        await asyncio.sleep(guarded.guard.closed_for_s())
        for _ in range(3):
            await assert_recovers(guarded)
        assert guarded.guard.state == "closed"


async def test_res_re_x1_a_write_that_was_read_and_dropped_is_not_sent_again() -> None:
    async with misbehaving() as server, open_guarded(server.address) as guarded:
        server.answer = faults.disconnect_after

        error = await swallow(guarded.bank.notify("x"))

        assert isinstance(error, OutcomeUnknownError)
        assert len(server.requests) == 1
        server.heal()
        await assert_recovers(guarded)


async def test_res_re_1_a_keyed_write_that_was_dropped_is_sent_again_under_its_key() -> None:
    async with misbehaving() as server, open_guarded(server.address) as guarded:
        server.answer = faults.disconnect_after

        await swallow(guarded.bank.pay(1, idempotency_key="key-7"))

        assert len(server.requests) == 3
        assert all(b"idempotency-key: key-7" in request.lower() for request in server.requests)
        server.heal()
        await assert_recovers(guarded)


async def test_a_refused_connection_is_unreachable_and_nothing_was_sent(caplog: pytest.LogCaptureFixture) -> None:
    async with open_guarded(refused_address()) as guarded:
        error = await swallow(guarded.task_bank.notify("x"))

        assert type(error) is UnreachableError
        assert error.sent is Sent.NOT_SENT
        assert guarded.attempts("connect_error") == 1
        assert told(caplog, "outbound.attempt_failed", error)
        guarded.assert_whole()


async def test_a_connection_that_is_not_accepted_is_unreachable(caplog: pytest.LogCaptureFixture) -> None:
    async with slow_to_accept() as address, open_guarded(address) as guarded:
        error = await swallow(guarded.task_bank.notify("x"))

        assert type(error) is UnreachableError
        assert error.sent is Sent.NOT_SENT
        assert told(caplog, "outbound.attempt_failed", error)
        guarded.assert_whole()


@pytest.mark.parametrize("how", ["fails", "hangs"])
async def test_a_name_that_cannot_be_resolved_is_unreachable(
    how: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def getaddrinfo(*_: object, **__: object) -> list[object]:
        if how == "hangs":
            await asyncio.sleep(3600)
        raise OSError(-2, "Name or service not known")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
    async with open_guarded("http://bank.invalid") as guarded:
        error = await swallow(guarded.task_bank.notify("x"))

        assert type(error) is UnreachableError
        assert error.sent is Sent.NOT_SENT
        assert guarded.attempts("connect_error") == 1
        assert told(caplog, "outbound.attempt_failed", error)
        guarded.assert_whole()


async def test_tls_where_there_is_none_is_unreachable(caplog: pytest.LogCaptureFixture) -> None:
    async with misbehaving() as server, open_guarded(server.address.replace("http:", "https:")) as guarded:
        error = await swallow(guarded.task_bank.notify("x"))

        assert type(error) is UnreachableError
        assert told(caplog, "outbound.attempt_failed", error)
        guarded.assert_whole()


async def test_a_pool_that_leaks_raises_the_alarm_and_is_not_held_against_the_system(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with misbehaving() as server, open_guarded(server.address) as guarded:
        server.answer = faults.drip
        leaked = [await guarded.session.get(server.address) for _ in range(6)]
        server.answer = faults.good

        for _ in range(12):
            error = await swallow(guarded.task_bank.balance())

            assert isinstance(error, BulkheadFullError)
        assert guarded.guard.state == "closed"
        assert guarded.metric("outbound_rejections_total", reason="bulkhead_full") == 12
        assert "pool.exhausted" in [r.getMessage() for r in caplog.records if r.levelname == "ERROR"]
        for response in leaked:
            response.close()
        await assert_recovers(guarded)


@pytest.mark.parametrize("twice", [False, True], ids=["once", "twice"])
async def test_a_gzip_bomb_is_never_unpacked(twice: bool) -> None:
    async with misbehaving() as server, open_guarded(server.address) as guarded:
        server.answer = faults.gzip_bomb(twice=twice)
        tracemalloc.start()
        try:
            await swallow(guarded.task_bank.balance())
            _, peak_bytes = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

        assert peak_bytes < 2_000_000  # the bomb is 64 MiB


async def test_idle_connections_end_before_the_system_ends_them() -> None:
    async with misbehaving() as server, open_guarded(server.address, keepalive=0.01) as guarded:
        await guarded.task_bank.balance()
        await asyncio.sleep(0.05)
        await guarded.task_bank.balance()

        assert server.connections == 2


async def test_more_than_was_announced_does_not_become_the_next_answer() -> None:
    answer = faults.GOOD + b"HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n" + b'{"balance": 99}'
    async with misbehaving() as server, open_guarded(server.address) as guarded:
        server.answer = faults.raw(answer, keep=True)

        for _ in range(5):
            await swallow(guarded.task_bank.balance())
        server.heal()

        assert await guarded.task_bank.balance() == 7
        guarded.assert_whole()


async def test_a_connection_that_the_server_closed_while_idle_costs_a_read_nothing() -> None:
    async with misbehaving() as server, open_guarded(server.address) as guarded:
        await guarded.task_bank.balance()
        server.heal()  # aborts the idle connection
        await asyncio.sleep(0)

        assert await guarded.task_bank.balance() == 7
        guarded.assert_whole()
