"""The health of a system: probed rarely, once at a time, beside breaker and bulkhead, and shown as last seen."""

import asyncio
import logging
from datetime import UTC, datetime

import pytest

from {{ cookiecutter.package_name }}.resilience.errors import TimedOutError, UnreachableError
from {{ cookiecutter.package_name }}.resilience.health import HealthIndicator

from .bank import GOOD, after, hang, open_bank, swallow
from .simulated import pass_time, simulated


class Patient:
    """Something to probe."""

    def __init__(self) -> None:
        self.probes = 0
        self.error: Exception | None = None
        self.takes_s = 0.5

    async def ping(self) -> None:
        self.probes += 1
        await asyncio.sleep(self.takes_s)
        if self.error is not None:
            raise self.error


@simulated
async def test_res_hc_1_unknown_then_up_then_down_then_up_again() -> None:
    patient = Patient()
    health = HealthIndicator("bank", patient.ping, 30)
    seen: list[tuple[str, bool]] = [(health.status, health.checked_at is None)]

    for error in (None, UnreachableError("bank"), None):
        patient.error = error
        await health.refresh()
        seen.append((health.status, health.checked_at is None))
        pass_time(30)

    assert seen == [("unknown", True), ("up", False), ("down", False), ("up", False)]
    assert health.checked_at is not None
    assert health.checked_at.tzinfo is UTC
    assert health.checked_at <= datetime.now(UTC)


@simulated
async def test_res_hc_2_a_fresh_result_is_not_probed_again() -> None:
    patient = Patient()
    health = HealthIndicator("bank", patient.ping, 30)

    for _ in range(100):
        await health.refresh()
    assert patient.probes == 1
    pass_time(22)
    await health.refresh()
    assert patient.probes == 1
    pass_time(5)  # a timer of 30 s with its jitter finds the result old enough
    await health.refresh()

    assert patient.probes == 2


@simulated
async def test_res_hc_2_callers_that_meet_share_one_probe() -> None:
    patient = Patient()
    health = HealthIndicator("bank", patient.ping, 30)

    await asyncio.gather(*(health.refresh() for _ in range(20)))

    assert patient.probes == 1


@simulated
async def test_a_cancelled_caller_does_not_end_the_probe_of_the_others() -> None:
    patient = Patient()
    health = HealthIndicator("bank", patient.ping, 30)
    first = asyncio.create_task(health.refresh())
    second = asyncio.create_task(health.refresh())
    await asyncio.sleep(0.1)

    first.cancel()
    await second

    assert (health.status, patient.probes) == ("up", 1)
    with pytest.raises(asyncio.CancelledError):
        await first


@simulated
async def test_res_hc_x1_asking_costs_no_probe() -> None:
    patient = Patient()
    health = HealthIndicator("bank", patient.ping, 30)

    assert [health.status for _ in range(5)] == ["unknown"] * 5
    assert patient.probes == 0


@simulated
async def test_changes_are_told_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    patient = Patient()
    health = HealthIndicator("bank", patient.ping, 30)
    for error in (None, None, UnreachableError("bank"), UnreachableError("bank"), None):
        patient.error = error
        await health.refresh()
        pass_time(30)

    told = [(record.levelname, record.__dict__["new"]) for record in caplog.records]
    assert told == [("INFO", "up"), ("WARNING", "down"), ("INFO", "up")]


@simulated
async def test_a_defect_in_ping_is_down_and_told(caplog: pytest.LogCaptureFixture) -> None:
    patient = Patient()
    patient.error = ZeroDivisionError()
    health = HealthIndicator("bank", patient.ping, 30)

    await health.refresh()

    assert health.status == "down"
    assert "health.probe_failed" in [record.getMessage() for record in caplog.records]


@simulated
async def test_closing_ends_a_probe_that_is_under_way() -> None:
    patient = Patient()
    patient.takes_s = 3600
    health = HealthIndicator("bank", patient.ping, 30)
    refreshing = asyncio.create_task(health.refresh())
    await asyncio.sleep(0.1)

    await health.close()

    with pytest.raises(asyncio.CancelledError):
        await refreshing


@simulated
async def test_res_hc_3_a_probe_has_its_own_small_timeout() -> None:
    async with open_bank(hang) as opened:
        loop = asyncio.get_running_loop()
        started = loop.time()

        assert isinstance(await swallow(opened.bank.ping()), TimedOutError)

        assert loop.time() - started == pytest.approx(2)


@simulated
async def test_res_hc_3_probes_pass_an_open_breaker_and_a_full_bulkhead_and_move_neither() -> None:
    async with open_bank(max_concurrent=3, max_connections=4) as opened:
        await opened.fail(10)
        opened.script.play(GOOD)
        await opened.bank.ping()
        assert opened.guard.state == "open"

        opened.script.play(503)
        pass_time(30)
        for _ in range(20):
            await swallow(opened.bank.ping())

        assert opened.guard.room() == 3
        assert opened.metric("outbound_attempt_duration_seconds_count", outcome="server_error") == 10

    async with open_bank(after(1), max_concurrent=3, max_connections=4) as opened:
        calls = [asyncio.create_task(opened.bank.balance()) for _ in range(3)]
        await asyncio.sleep(0)
        await opened.bank.ping()
        await asyncio.gather(*calls)
