"""The circuit breaker: when it opens, whom it lets through, when it closes, and what must not move it."""

import asyncio
import gc
import logging
import math
import os
import time
import weakref

import httpx
import pytest

from {{ cookiecutter.package_name }}.resilience.errors import CircuitOpenError, PortError, SystemFailedError

from .bank import GOOD, Opened, Step, after, answer, hang, open_bank, swallow
from .simulated import pass_time, simulated

TRIPPING = 10
"""Failures in a row that open a breaker with the default settings."""


async def trip(opened: Opened) -> None:
    await opened.fail(TRIPPING)
    opened.script.play(GOOD)
    assert opened.guard.state == "open"


async def half_open(opened: Opened) -> None:
    """Trip, wait, and let the first of three trials succeed."""
    await trip(opened)
    pass_time(30)
    await opened.task_bank.balance()
    assert opened.guard.state == "half_open"


def transitions(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.getMessage().startswith("circuit.")]


@simulated
async def test_res_cb_2_ten_calls_are_needed_for_a_judgement() -> None:
    async with open_bank() as opened:
        await opened.fail(TRIPPING - 1)

        assert opened.guard.state == "closed"
        await opened.fail(1)
        assert opened.guard.state == "open"


@simulated
async def test_res_cb_2_a_success_that_completes_a_sick_window_opens_too() -> None:
    async with open_bank() as opened:
        await opened.fail(TRIPPING - 1)
        opened.script.play(GOOD)

        await opened.task_bank.balance()

        assert opened.guard.state == "open"


@simulated
async def test_res_cb_2_the_window_forgets_what_lies_fifty_calls_back() -> None:
    async with open_bank(breaker_min_calls=50) as opened:
        await opened.fail(24)
        opened.script.play(GOOD)
        for _ in range(50):
            await opened.task_bank.balance()

        await opened.fail(24)

        assert opened.guard.state == "closed"
        await opened.fail(1)
        assert opened.guard.state == "open"


@simulated
async def test_res_cb_3_half_of_the_calls_must_fail_not_a_run_of_them() -> None:
    async with open_bank() as opened:
        for number in range(100):  # two of five fail
            opened.script.play(503 if number % 5 > 2 else GOOD)
            await swallow(opened.task_bank.balance())

        assert opened.guard.state == "closed"


@simulated
async def test_res_cb_3_failures_need_not_be_consecutive() -> None:
    async with open_bank() as opened:
        for number in range(TRIPPING):  # every second one fails
            opened.script.play(503 if number % 2 else GOOD)
            await swallow(opened.task_bank.balance())

        assert opened.guard.state == "open"


@simulated
async def test_res_cb_3_a_payment_like_system_opens_at_thirty_percent() -> None:
    async with open_bank(breaker_failure_ratio=0.3) as opened:
        for number in range(TRIPPING):
            opened.script.play(503 if number < 3 else GOOD)
            await swallow(opened.task_bank.balance())

        assert opened.guard.state == "open"


@simulated
async def test_res_cb_4_no_call_leaves_while_open() -> None:
    async with open_bank() as opened:
        await trip(opened)
        sent = len(opened.script.requests)
        pass_time(29.9)

        error = await swallow(opened.bank.balance())

        assert isinstance(error, CircuitOpenError)
        assert len(opened.script.requests) == sent


@simulated
async def test_res_cb_4_three_trials_must_all_succeed() -> None:
    async with open_bank() as opened:
        await trip(opened)
        pass_time(30)

        states = []
        for _ in range(3):
            await opened.task_bank.balance()
            states.append(opened.guard.state)

        assert states == ["half_open", "half_open", "closed"]


@simulated
async def test_res_cb_4_never_more_than_three_trials_at_once() -> None:
    async with open_bank(max_concurrent=16) as opened:
        await trip(opened)
        pass_time(30)
        opened.script.play(after(1))
        sent = len(opened.script.requests)

        errors = await asyncio.gather(*(swallow(opened.task_bank.balance()) for _ in range(15)))

        assert len(opened.script.requests) - sent == 3
        assert sum(isinstance(error, CircuitOpenError) for error in errors) == 12
        assert opened.guard.state == "closed"


@simulated
async def test_res_cb_4_a_failed_trial_opens_for_twice_as_long_up_to_the_bound() -> None:
    async with open_bank(breaker_open=30, breaker_open_max=100) as opened:
        await trip(opened)
        periods = []
        for _ in range(4):
            pass_time(opened.guard.closed_for_s())
            await opened.fail(1)
            periods.append(round(opened.guard.closed_for_s()))

        assert periods == [60, 100, 100, 100]


@simulated
async def test_res_cb_4_a_closed_breaker_begins_with_the_short_period_again() -> None:
    async with open_bank() as opened:
        await half_open(opened)
        await opened.fail(1)
        pass_time(60)
        opened.script.play(GOOD)
        for _ in range(3):
            await opened.task_bank.balance()
        assert opened.guard.state == "closed"

        await trip(opened)

        assert opened.guard.closed_for_s() == pytest.approx(30)


@simulated
async def test_a_cancelled_trial_gives_its_place_back() -> None:
    async with open_bank() as opened:
        await trip(opened)
        pass_time(30)
        opened.script.play(hang)
        for _ in range(5):
            trials = [asyncio.create_task(opened.task_bank.balance()) for _ in range(3)]
            await asyncio.sleep(0.001)
            assert opened.guard.room() == 0
            for trial in trials:
                trial.cancel()
            await asyncio.wait(trials)

        assert opened.guard.state == "half_open"
        assert opened.guard.room() == 3


@simulated
async def test_a_refused_request_neither_closes_nor_opens() -> None:
    async with open_bank() as opened:
        await trip(opened)
        pass_time(30)
        opened.script.play(404)
        for _ in range(10):
            await swallow(opened.task_bank.balance())

        assert opened.guard.state == "half_open"
        assert opened.guard.room() == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 429])
def test_a_4xx_says_nothing_about_the_systems_health(status: int) -> None:
    @simulated
    async def scenario() -> None:
        async with open_bank(status) as opened:
            for _ in range(60):
                await swallow(opened.task_bank.balance())
            assert opened.guard.state == "closed"

            await opened.fail(TRIPPING)

            assert opened.guard.state == "open"  # sixty 4xx have not thinned ten failures out

    scenario()


@simulated
async def test_a_defect_of_the_adapter_is_not_the_systems_fault() -> None:
    async with open_bank({"no": "id"}) as opened:
        for _ in range(20):
            with pytest.raises(KeyError):
                await opened.task_bank.pay(1, idempotency_key="k")

        assert opened.guard.state == "closed"


@simulated
async def test_a_callers_cancellation_is_counted_by_nobody() -> None:
    async with open_bank(hang) as opened:
        for _ in range(20):
            call = asyncio.create_task(opened.task_bank.balance())
            await asyncio.sleep(0.001)
            call.cancel()
            await asyncio.wait([call])

        assert opened.guard.state == "closed"
        assert opened.guard.room() == 16
        assert opened.metric("outbound_attempt_duration_seconds_count", outcome="cancelled") == 20


@simulated
async def test_res_async_3_hanging_calls_open_the_breaker() -> None:
    async with open_bank(hang) as opened:
        errors = [await swallow(opened.task_bank.balance()) for _ in range(TRIPPING)]

        assert opened.guard.state == "open"
        assert {error.code for error in errors if error} == {"timed-out"}


@simulated
async def test_res_cb_5_slow_calls_open_before_calls_time_out() -> None:
    async with open_bank(after(5.0)) as opened:
        for _ in range(TRIPPING):
            await opened.task_bank.balance()

        assert opened.guard.state == "open"


@simulated
async def test_res_cb_5_fast_calls_do_not_count_as_slow() -> None:
    async with open_bank(after(4.9)) as opened:
        for _ in range(60):
            await opened.task_bank.balance()

        assert opened.guard.state == "closed"


@simulated
async def test_res_cb_5_a_slow_trial_is_no_success() -> None:
    async with open_bank() as opened:
        await half_open(opened)
        opened.script.play(after(6.0))

        assert await opened.task_bank.balance() == GOOD["balance"]

        assert opened.guard.state == "open"


@simulated
async def test_outcomes_of_an_earlier_period_change_nothing(caplog: pytest.LogCaptureFixture) -> None:
    release = asyncio.Event()

    async def late_failure(_: httpx.Request) -> httpx.Response:
        await release.wait()
        return answer(503)

    async def late_success(_: httpx.Request) -> httpx.Response:
        await release.wait()
        return answer(200, GOOD)

    async with open_bank() as opened:
        early: list[asyncio.Task[PortError | None]] = []
        steps: tuple[Step, ...] = (late_failure,) * 3 + (late_success,) * 3
        for step in steps:
            opened.script.play(step)
            early.append(asyncio.create_task(swallow(opened.task_bank.balance())))
            await asyncio.sleep(0.001)
        await half_open(opened)
        caplog.clear()

        release.set()
        errors = await asyncio.gather(*early)

        assert opened.guard.state == "half_open"
        assert opened.guard.room() == 2  # one trial has passed, as before
        assert transitions(caplog) == []
        assert [isinstance(error, SystemFailedError) for error in errors] == [True] * 3 + [False] * 3


@simulated
async def test_late_failures_do_not_count_in_the_next_closed_period() -> None:
    async with open_bank(after(3, {"balance": "none"}), breaker_open=1) as opened:
        late = [asyncio.create_task(swallow(opened.task_bank.balance())) for _ in range(12)]
        await asyncio.sleep(0.001)
        await trip(opened)
        pass_time(1)
        for _ in range(3):
            await opened.task_bank.balance()
        assert opened.guard.state == "closed"

        await asyncio.gather(*late)

        assert opened.guard.state == "closed"


@simulated
async def test_a_late_trial_is_no_trial_of_the_next_round() -> None:
    async with open_bank(breaker_open=1) as opened:
        await trip(opened)
        pass_time(1)
        opened.script.play(after(3), 503)
        late = asyncio.create_task(opened.task_bank.balance())
        await asyncio.sleep(0.001)
        await opened.fail(1)  # ends the round
        pass_time(2)
        opened.script.play(GOOD)
        await opened.task_bank.balance()
        await opened.task_bank.balance()

        assert await late == GOOD["balance"]

        assert opened.guard.state == "half_open"
        assert opened.guard.room() == 1


@simulated
async def test_a_late_failure_does_not_prolong_an_open_period() -> None:
    async with open_bank(after(20, {"balance": "none"})) as opened:
        late = asyncio.create_task(swallow(opened.task_bank.balance()))
        await asyncio.sleep(0.001)
        await trip(opened)
        await late

        pass_time(opened.guard.closed_for_s())

        assert opened.guard.room() == 3


@simulated
async def test_res_obs_3_one_event_one_warning_one_count_per_transition(caplog: pytest.LogCaptureFixture) -> None:
    async with open_bank(after(1, {"balance": "none"})) as opened:  # an answer that breaks its schema: a failure
        opened.metric("outbound_breaker_transitions_total", to="open")

        await asyncio.gather(*(swallow(opened.task_bank.balance()) for _ in range(16)))

        assert opened.metric("outbound_breaker_transitions_total", to="open") == 1
        assert transitions(caplog) == ["circuit.opened"]
        record = next(record for record in caplog.records if record.getMessage() == "circuit.opened")
        assert record.levelno == logging.WARNING
        facts = {key: record.__dict__[key] for key in ("system", "old", "new", "failure_rate", "calls")}
        assert facts == {"system": opened.name, "old": "closed", "new": "open", "failure_rate": 1.0, "calls": 10}


@simulated
async def test_res_obs_3_a_successful_call_writes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with open_bank() as opened:
        caplog.clear()

        await opened.bank.balance()

        assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []


@simulated
async def test_res_obs_1_the_state_is_one_hot() -> None:
    async with open_bank() as opened:

        def shown() -> list[str]:
            states = ("closed", "open", "half_open", "forced_open")
            return [state for state in states if opened.metric("outbound_breaker_state", state=state)]

        assert shown() == ["closed"]
        await trip(opened)
        assert shown() == ["open"]
        pass_time(30)
        await opened.task_bank.balance()
        assert shown() == ["half_open"]


@simulated
async def test_forced_open_lets_nothing_through(caplog: pytest.LogCaptureFixture) -> None:
    async with open_bank(breaker_mode="forced_open") as opened:
        error = await swallow(opened.bank.balance())

        assert isinstance(error, CircuitOpenError)
        assert error.retry_after_s == 30
        assert (opened.guard.state, opened.guard.room()) == ("forced_open", 0)
        assert opened.guard.closed_for_s() == math.inf
        assert opened.script.requests == []
        assert transitions(caplog) == ["circuit.overridden"]


@simulated
async def test_a_disabled_breaker_lets_everything_through() -> None:
    async with open_bank(breaker_mode="disabled") as opened:
        await opened.fail(60)

        assert opened.guard.state == "closed"
        assert opened.guard.room() == 16
        assert len(opened.script.requests) == 60


@simulated
async def test_res_cb_6_a_refusal_says_when_to_come_back() -> None:
    async with open_bank() as opened:
        await trip(opened)
        pass_time(10)

        error = await swallow(opened.bank.balance())

        assert isinstance(error, CircuitOpenError)
        assert error.retry_after_s == pytest.approx(20)
        assert opened.metric("outbound_rejections_total", reason="breaker_open") == 1


@pytest.mark.parametrize("zone", ["UTC", "Europe/Moscow", "America/New_York", "Asia/Kathmandu"])
def test_right_in_every_time_zone(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()

    @simulated
    async def scenario() -> None:
        async with open_bank() as opened:
            await trip(opened)
            pass_time(29)
            assert isinstance(await swallow(opened.bank.balance()), CircuitOpenError)
            pass_time(1.1)
            assert await opened.bank.balance() == GOOD["balance"]

    scenario()
    monkeypatch.undo()
    time.tzset()
    assert os.environ.get("TZ") != zone or zone == "UTC"


@simulated
async def test_wall_clock_steps_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_bank() as opened:
        await trip(opened)
        monkeypatch.setattr(time, "time", lambda: 0.0)

        assert isinstance(await swallow(opened.bank.balance()), CircuitOpenError)
        pass_time(30)
        assert await opened.bank.balance() == GOOD["balance"]


@simulated
async def test_the_call_that_opens_gets_its_own_error() -> None:
    async with open_bank() as opened:
        await opened.fail(TRIPPING - 1)

        error = await swallow(opened.task_bank.balance())

        assert isinstance(error, SystemFailedError)
        assert error.__cause__ is None
        assert opened.guard.state == "open"


@simulated
async def test_watchers_hear_of_changes_and_a_broken_one_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async with open_bank() as opened:
        heard: list[str] = []

        def broken() -> None:
            raise ZeroDivisionError

        opened.guard.on_change(broken)
        opened.guard.on_change(lambda: heard.append(opened.guard.state))

        await half_open(opened)
        await opened.task_bank.balance()
        await opened.task_bank.balance()

        assert [state for number, state in enumerate(heard) if state not in heard[:number]] == [
            "open",
            "half_open",
            "closed",
        ]
        assert "circuit.watcher_failed" in [record.getMessage() for record in caplog.records]


@simulated
async def test_room_is_the_trials_that_are_left() -> None:
    async with open_bank() as opened:
        assert opened.guard.room() == 16
        await trip(opened)
        assert opened.guard.room() == 0
        pass_time(30)
        assert opened.guard.room() == 3
        await opened.task_bank.balance()
        assert opened.guard.room() == 2


@simulated
async def test_failures_keep_nothing_alive() -> None:
    async with open_bank(503) as opened:
        gc.disable()
        try:
            error = await swallow(opened.task_bank.balance())
            assert error is not None

            watched = weakref.ref(error)
            del error
            assert watched() is None
        finally:
            gc.enable()


@simulated
async def test_refusals_keep_nothing_alive() -> None:
    async with open_bank() as opened:
        await trip(opened)
        refused = [await swallow(opened.bank.balance()) for _ in range(3)]
        last = refused[-1]
        assert last is not None
        assert len({id(error) for error in refused}) == len(refused)

        watched = weakref.ref(last)
        gc.disable()
        try:
            del last
            refused.clear()
            assert watched() is None  # gone at once: no cycle through a traceback waits for the collector
        finally:
            gc.enable()
