"""Retry in memory: what is repeated, how often, how long, and what it may cost a system that is down."""

import asyncio
from itertools import pairwise

import aiohttp
import httpx
import pytest

from {{ cookiecutter.package_name }}.resilience.deadline import budget
from {{ cookiecutter.package_name }}.resilience.errors import (
    BadResponseError,
    CircuitOpenError,
    OutcomeUnknownError,
    PortError,
    Sent,
    SystemFailedError,
    ThrottledError,
)
from {{ cookiecutter.package_name }}.resilience.retry import RetryBudget

from .bank import GOOD, Step, answer, hang, open_bank, swallow
from .simulated import pass_time, simulated


def broken_off() -> Step:
    """A connection that the server drops after it got the request, as the transport shows it."""
    error = httpx.ConnectTimeout("dropped")
    error.__cause__ = aiohttp.ServerDisconnectedError()
    return error


def now() -> float:
    return asyncio.get_running_loop().time()


@simulated
async def test_res_re_1_a_read_recovers_within_three_attempts() -> None:
    async with open_bank(503, broken_off(), GOOD) as opened:
        assert await opened.bank.balance() == GOOD["balance"]

        assert len(opened.script.requests) == 3
        assert opened.metric("outbound_retries_total", decision="retried") == 2


@simulated
async def test_res_re_1_a_keyed_write_repeats_its_key() -> None:
    async with open_bank(broken_off(), 503, GOOD) as opened:
        assert await opened.bank.pay(5, idempotency_key="key-1") == "p1"

        keys = [request.headers["Idempotency-Key"] for request in opened.script.requests]
        assert keys == ["key-1"] * 3


@simulated
async def test_res_re_x1_a_write_without_a_key_is_sent_once() -> None:
    for step in (503, broken_off(), hang):
        async with open_bank(step) as opened:
            await swallow(opened.bank.notify("x"))

            assert len(opened.script.requests) == 1


@simulated
async def test_an_unknown_outcome_is_its_own_kind() -> None:
    async with open_bank(broken_off()) as opened:
        assert isinstance(await swallow(opened.bank.notify("x")), OutcomeUnknownError)


@simulated
async def test_res_where_3_a_tasks_guard_makes_one_attempt() -> None:
    async with open_bank(503) as opened:
        await swallow(opened.task_bank.balance())
        await swallow(opened.task_bank.pay(1, idempotency_key="k"))

        assert len(opened.script.requests) == 2


@simulated
async def test_res_re_3_the_last_error_comes_out_after_three_attempts() -> None:
    async with open_bank(503, 502, 500) as opened:
        error = await swallow(opened.bank.balance())

        assert isinstance(error, SystemFailedError)
        assert error.status == 500
        assert len(opened.script.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 404, 409, 422, 429])
def test_res_re_x2_a_4xx_is_not_repeated(status: int) -> None:
    @simulated
    async def scenario() -> None:
        async with open_bank(status) as opened:
            assert isinstance(await swallow(opened.bank.balance()), PortError)

            assert len(opened.script.requests) == 1
            assert opened.metric("outbound_retries_total", decision="not_retryable") == 1

    scenario()


@simulated
async def test_res_re_2_an_answer_nobody_understands_is_not_repeated() -> None:
    async with open_bank({"balance": "lots"}) as opened:
        assert isinstance(await swallow(opened.bank.balance()), BadResponseError)

        assert len(opened.script.requests) == 1


@simulated
async def test_res_re_4_no_retry_begins_later_than_five_seconds_after_the_first_attempt() -> None:
    async def slow_failure(_: httpx.Request) -> httpx.Response:
        await asyncio.sleep(5.1)
        return answer(503)

    async with open_bank(slow_failure) as opened:
        await swallow(opened.bank.balance())

        assert len(opened.script.requests) == 1
        assert opened.metric("outbound_retries_total", decision="deadline") == 1
        assert opened.metric("outbound_deadline_exceeded_total", where="backoff") == 1


@simulated
async def test_no_retry_begins_after_the_deadline() -> None:
    async with open_bank(503, retry_backoff=1.0, retry_backoff_max=1.0) as opened:
        with budget(0.2):
            error = await swallow(opened.bank.balance())

        assert isinstance(error, SystemFailedError)
        assert len(opened.script.requests) == 1


@simulated
async def test_res_re_x3_waits_grow_and_are_jittered() -> None:
    limits = (0.1, 0.2, 0.4, 0.8)
    waits: list[list[float]] = []
    times: list[float] = []

    async def failing(_: httpx.Request) -> httpx.Response:
        times.append(now())
        return answer(503)

    async with open_bank(failing, retry_attempts=5, retry_budget_burst=100, breaker_mode="disabled") as opened:
        for _ in range(20):
            times.clear()
            await swallow(opened.bank.balance())
            waits.append([later - earlier for earlier, later in pairwise(times)])

    assert all(wait <= limit for row in waits for wait, limit in zip(row, limits, strict=True))
    assert max(row[3] for row in waits) > 0.4  # they grow
    assert len({round(row[0], 6) for row in waits}) == 20  # and no two callers come back together


@simulated
async def test_retry_after_is_respected_when_it_fits() -> None:
    busy = answer(503, headers={"Retry-After": "1"})

    async def step(_: httpx.Request) -> httpx.Response:
        return busy

    async with open_bank(step, GOOD) as opened:
        started = now()

        await opened.bank.balance()

        assert now() - started >= 1.0


@simulated
async def test_res_async_2_a_longer_retry_after_is_left_to_the_caller() -> None:
    async def step(_: httpx.Request) -> httpx.Response:
        return answer(503, headers={"Retry-After": "3"})

    async with open_bank(step) as opened:
        error = await swallow(opened.bank.balance())

        assert isinstance(error, SystemFailedError)
        assert error.retry_after_s == 3
        assert len(opened.script.requests) == 1
        assert opened.metric("outbound_retries_total", decision="deadline") == 1


@simulated
async def test_a_429_carries_its_time_and_is_not_repeated() -> None:
    async def step(_: httpx.Request) -> httpx.Response:
        return answer(429, headers={"Retry-After": "0"})

    async with open_bank(step) as opened:
        error = await swallow(opened.bank.balance())

        assert isinstance(error, ThrottledError)
        assert error.retry_after_s == 0
        assert len(opened.script.requests) == 1


@simulated
async def test_the_budget_keeps_a_hundred_failing_calls_below_115_real_ones() -> None:
    async with open_bank(503, breaker_mode="disabled") as opened:
        for _ in range(100):
            await swallow(opened.bank.balance())

        assert 100 < len(opened.script.requests) < 115
        assert opened.metric("outbound_retries_total", decision="budget_exhausted") > 0
        assert opened.metric("outbound_retry_budget_ratio") < 0.3


@simulated
async def test_a_system_that_is_up_fills_the_budget_again() -> None:
    async with open_bank(503, breaker_mode="disabled") as opened:
        for _ in range(20):
            await swallow(opened.bank.balance())
        opened.script.play(GOOD)
        for _ in range(100):
            await opened.bank.balance()

        assert opened.metric("outbound_retry_budget_ratio") == 1


def test_a_ratio_of_zero_forbids_every_retry() -> None:
    empty = RetryBudget(0.0, 5)

    empty.deposit()

    assert (empty.withdraw(), empty.left) == (False, 0.0)


@simulated
async def test_the_breaker_sees_every_attempt_and_ends_the_retrying() -> None:
    async with open_bank(503) as opened:
        await opened.fail(9)

        error = await swallow(opened.bank.balance())

        assert isinstance(error, SystemFailedError)
        assert isinstance(error.__cause__, CircuitOpenError)
        assert len(opened.script.requests) == 10


@simulated
async def test_a_refused_retry_does_not_hide_what_was_sent() -> None:
    async with open_bank(503) as opened:
        await opened.fail(9)
        opened.script.play(broken_off())

        error = await swallow(opened.bank.pay(1, idempotency_key="k"))

        assert isinstance(error, OutcomeUnknownError)
        assert error.sent is Sent.UNKNOWN
        assert len(opened.script.requests) == 10


@simulated
async def test_a_waiting_retry_holds_no_permit() -> None:
    async with open_bank(503, hang, retry_backoff=1.9, retry_backoff_max=1.9) as opened:
        call = asyncio.create_task(swallow(opened.bank.balance()))
        await asyncio.sleep(0.001)

        assert len(opened.script.requests) == 1
        assert opened.guard.room() == 16
        call.cancel()
        await asyncio.wait([call])


@simulated
async def test_cancellation_ends_the_waiting_at_once() -> None:
    async with open_bank(503, retry_backoff=1.9, retry_backoff_max=1.9) as opened:
        call = asyncio.create_task(opened.bank.balance())
        await asyncio.sleep(0.001)
        call.cancel()

        with pytest.raises(asyncio.CancelledError):
            await call
        assert len(opened.script.requests) == 1


@simulated
async def test_a_cancelled_second_attempt_is_not_repeated() -> None:
    async with open_bank(503, hang) as opened:
        call = asyncio.create_task(opened.bank.balance())
        await asyncio.sleep(1)
        call.cancel()

        with pytest.raises(asyncio.CancelledError):
            await call
        assert len(opened.script.requests) == 2


@simulated
async def test_a_later_caller_has_a_plan_of_its_own() -> None:
    async with open_bank(503, GOOD) as opened:
        await opened.bank.balance()
        pass_time(10)
        opened.script.play(503, GOOD)

        assert await opened.bank.balance() == GOOD["balance"]


@simulated
async def test_concurrent_callers_keep_their_own_errors() -> None:
    async with open_bank(503, breaker_mode="disabled", retry_budget_burst=100) as opened:

        async def by_path(request: httpx.Request) -> httpx.Response:
            return answer(int(request.url.path.rsplit("/", 1)[-1]))

        opened.script.play(by_path)
        statuses = [500, 502, 503, 504, 404, 409] * 2
        errors = await asyncio.gather(*(swallow(opened.bank.balance(str(status))) for status in statuses))

        assert [getattr(error, "status", None) for error in errors] == statuses
