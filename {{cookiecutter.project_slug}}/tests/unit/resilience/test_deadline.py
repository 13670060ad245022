"""Time: one absolute deadline over everything, capped by what the caller has left."""

import asyncio

import pytest

from {{ cookiecutter.package_name }}.resilience.deadline import (
    BUDGET_HEADER,
    budget,
    format_budget,
    parse_budget,
    remaining,
)
from {{ cookiecutter.package_name }}.resilience.errors import DeadlineExceededError, Sent, TimedOutError

from .bank import after, hang, open_bank, swallow
from .simulated import pass_time, simulated


def now() -> float:
    return asyncio.get_running_loop().time()


@simulated
async def test_res_to_x1_a_hang_ends_at_the_total() -> None:
    async with open_bank(hang) as opened:
        started = now()

        error = await swallow(opened.bank.notify("x"))

        assert isinstance(error, TimedOutError)
        assert error.sent is Sent.UNKNOWN
        assert now() - started == pytest.approx(15)
        assert opened.metric("outbound_deadline_exceeded_total", where="attempt") == 1


@simulated
async def test_res_to_3_a_callers_budget_caps_the_call_less_a_tenth_of_a_second() -> None:
    async with open_bank(hang) as opened:
        started = now()

        with budget(2.0):
            error = await swallow(opened.bank.balance())

        assert isinstance(error, TimedOutError)
        assert now() - started == pytest.approx(1.9)


@simulated
async def test_res_to_3_a_large_budget_does_not_stretch_the_total() -> None:
    async with open_bank(hang) as opened:
        started = now()

        with budget(600):
            await swallow(opened.bank.notify("x"))

        assert now() - started == pytest.approx(15)


@pytest.mark.parametrize("left", [0.1, 0.05, 0.0, -1.0])
def test_res_to_3_a_spent_budget_sends_nothing(left: float) -> None:
    @simulated
    async def scenario() -> None:
        async with open_bank() as opened:
            with budget(left):
                error = await swallow(opened.bank.balance())

            assert isinstance(error, DeadlineExceededError)
            assert error.sent is Sent.NOT_SENT
            assert opened.script.requests == []
            assert opened.metric("outbound_rejections_total", reason="deadline") == 1
            assert opened.guard.state == "closed"

    scenario()


@simulated
async def test_res_to_3_the_budget_travels_on() -> None:
    async with open_bank() as opened:
        with budget(2.0):
            await opened.bank.balance()
        await opened.bank.balance()

        told = [int(request.headers[BUDGET_HEADER]) for request in opened.script.requests]
        assert told == [pytest.approx(1900, abs=1), 15_000]


@simulated
async def test_the_second_attempt_has_only_what_the_first_left() -> None:
    async with open_bank(503, hang) as opened:
        started = now()

        with budget(3.0):
            await swallow(opened.bank.balance())

        assert now() - started == pytest.approx(2.9)


@simulated
async def test_waiting_for_a_permit_spends_the_budget() -> None:
    async with open_bank(after(0.06), hang, max_concurrent=3, max_connections=4) as opened:
        opened.script.play(after(0.06), after(0.06), after(0.06), hang)
        first = [asyncio.create_task(opened.task_bank.balance()) for _ in range(3)]
        await asyncio.sleep(0)
        started = now()

        with budget(0.3):
            error = await swallow(opened.task_bank.balance())

        assert isinstance(error, TimedOutError)
        assert now() - started == pytest.approx(0.2)
        await asyncio.gather(*first)


@simulated
async def test_an_inner_budget_never_extends_an_outer_one() -> None:
    assert remaining() is None
    with budget(1.0), budget(5.0):
        assert remaining() == pytest.approx(1.0)
        with budget(None):
            assert remaining() == pytest.approx(1.0)
        pass_time(1.5)
        assert remaining() == pytest.approx(-0.5)
    assert remaining() is None


@simulated
async def test_a_pending_cancellation_is_not_swallowed_by_a_deadline_that_has_passed() -> None:
    async with open_bank(hang, max_concurrent=3, max_connections=4, bulkhead_wait=0) as opened:

        async def victim() -> str:
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
            with budget(0.1):
                await swallow(opened.bank.balance())
            await asyncio.sleep(0)
            return "survived"

        with pytest.raises(asyncio.CancelledError):
            await asyncio.create_task(victim())


@simulated
async def test_an_attempt_that_begins_after_the_deadline_sends_nothing() -> None:
    async with open_bank() as opened:
        parts = opened.guard._parts

        def late() -> None:
            pass_time(20)

        original = parts.bulkhead.acquire

        async def acquire(deadline: float) -> None:
            await original(deadline)
            late()

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(parts.bulkhead, "acquire", acquire)
            error = await swallow(opened.bank.balance())

        assert isinstance(error, DeadlineExceededError)
        assert opened.script.requests == []
        assert opened.guard.room() == 16


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0.0),
        ("1500", 1.5),
        ("999999999", 999_999.999),
        ("", None),
        ("1.5", None),
        ("-5", None),
        ("1e9", None),
        ("1234567890", None),
        (" 5", None),
        ("٣", None),
    ],
)
def test_only_whole_milliseconds_are_a_budget(text: str, seconds: float | None) -> None:
    assert parse_budget(text) == seconds


def test_a_budget_is_told_in_whole_milliseconds() -> None:
    assert [format_budget(left) for left in (1.2345, 0.0, -3.0)] == ["1234", "0", "0"]
