"""The bulkhead: so many calls in flight, a short queue, and no permit ever lost."""

import asyncio
import contextvars

import pytest

from {{ cookiecutter.package_name }}.resilience.errors import (
    BulkheadFullError,
    CircuitOpenError,
    DeadlineExceededError,
)

from .bank import GOOD, after, hang, open_bank, swallow
from .simulated import pass_time, simulated


@simulated
async def test_res_bh_1_no_more_calls_in_flight_than_allowed() -> None:
    async with open_bank(after(0.05), max_concurrent=4, max_connections=5) as opened:
        calls = [asyncio.create_task(opened.task_bank.balance()) for _ in range(8)]
        await asyncio.sleep(0.01)

        assert len(opened.script.requests) == 4
        assert opened.metric("outbound_bulkhead_in_use") == 4
        assert opened.metric("outbound_bulkhead_limit") == 4
        await asyncio.gather(*calls)
        assert opened.metric("outbound_bulkhead_in_use") == 0


@simulated
async def test_res_bh_3_waits_a_tenth_of_a_second_then_rejects() -> None:
    async with open_bank(hang, max_concurrent=4, max_connections=5) as opened:
        calls = [asyncio.create_task(swallow(opened.task_bank.balance())) for _ in range(4)]
        await asyncio.sleep(0)
        loop = asyncio.get_running_loop()
        started = loop.time()

        error = await swallow(opened.task_bank.balance())

        assert isinstance(error, BulkheadFullError)
        assert loop.time() - started == pytest.approx(0.1)
        assert error.retry_after_s == 1
        assert opened.metric("outbound_rejections_total", reason="bulkhead_full") == 1
        assert len(opened.script.requests) == 4
        await asyncio.gather(*calls)


@simulated
async def test_res_bh_3_who_waits_less_gets_a_permit() -> None:
    async with open_bank(after(0.05), max_concurrent=4, max_connections=5) as opened:
        results = await asyncio.gather(*(opened.task_bank.balance() for _ in range(8)))

        assert results == [GOOD["balance"]] * 8
        assert opened.metric("outbound_bulkhead_wait_seconds_sum") == pytest.approx(0.2)


@simulated
async def test_a_deadline_before_the_end_of_the_queue_is_a_deadline() -> None:
    async with open_bank(after(5), max_concurrent=4, max_connections=5, total_timeout=12) as opened:
        calls = [asyncio.create_task(opened.task_bank.balance()) for _ in range(4)]
        await asyncio.sleep(0)
        parts = opened.guard._parts
        deadline = asyncio.get_running_loop().time() + 0.05

        with pytest.raises(DeadlineExceededError):
            await parts.bulkhead.acquire(deadline)

        assert opened.metric("outbound_deadline_exceeded_total", where="wait") == 1
        await asyncio.gather(*calls)


@simulated
async def test_res_bh_2_context_variables_stay() -> None:
    seen: contextvars.ContextVar[str] = contextvars.ContextVar("seen", default="nothing")

    async with open_bank(after(0.01), max_concurrent=3, max_connections=4) as opened:

        async def caller(name: str) -> str:
            seen.set(name)
            await opened.task_bank.balance()
            return seen.get()

        assert await asyncio.gather(*(caller(str(number)) for number in range(6))) == list("012345")


@simulated
async def test_an_open_breaker_answers_at_once_when_the_bulkhead_is_full() -> None:
    async with open_bank(hang, max_concurrent=5, max_connections=6, breaker_open=1) as opened:
        calls = [asyncio.create_task(swallow(opened.task_bank.balance())) for _ in range(2)]
        await asyncio.sleep(0)
        await opened.fail(10)
        opened.script.play(hang)
        pass_time(1)
        calls += [asyncio.create_task(swallow(opened.task_bank.balance())) for _ in range(3)]
        await asyncio.sleep(0)
        assert opened.metric("outbound_bulkhead_in_use") == 5
        loop = asyncio.get_running_loop()
        started = loop.time()

        error = await swallow(opened.task_bank.balance())

        assert isinstance(error, CircuitOpenError)
        assert loop.time() == started
        for call in calls:
            call.cancel()
        await asyncio.wait(calls)


@simulated
async def test_a_rejection_is_not_held_against_the_system() -> None:
    async with open_bank(after(4), max_concurrent=3, max_connections=4) as opened:
        calls = [asyncio.create_task(opened.task_bank.balance()) for _ in range(3)]
        await asyncio.sleep(0)
        for _ in range(30):
            assert isinstance(await swallow(opened.task_bank.balance()), BulkheadFullError)

        await asyncio.gather(*calls)
        assert opened.guard.state == "closed"


@simulated
async def test_a_cancelled_waiter_leaves_no_hole() -> None:
    async with open_bank(after(0.05), max_concurrent=3, max_connections=4) as opened:
        calls = [asyncio.create_task(swallow(opened.task_bank.balance())) for _ in range(9)]
        await asyncio.sleep(0.01)
        for call in calls[3:6]:
            call.cancel()
        await asyncio.wait(calls)

        assert opened.guard.room() == 3
        assert await opened.task_bank.balance() == GOOD["balance"]


@pytest.mark.parametrize("turns", range(5))
def test_a_cancellation_that_meets_its_permit_is_not_swallowed(turns: int) -> None:
    @simulated
    async def scenario() -> None:
        async with open_bank(max_concurrent=1, max_connections=2) as opened:
            bulkhead = opened.guard._parts.bulkhead
            deadline = asyncio.get_running_loop().time() + 10
            await bulkhead.acquire(deadline)
            waiter = asyncio.create_task(bulkhead.acquire(deadline))
            await asyncio.sleep(0)
            await asyncio.sleep(0)

            bulkhead.release()
            for _ in range(turns):
                await asyncio.sleep(0)
            if waiter.done():
                bulkhead.release()
            else:
                waiter.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiter

            assert bulkhead.free == 1
            await bulkhead.acquire(deadline)
            bulkhead.release()

    scenario()


def test_a_bulkhead_belongs_to_the_loop_that_built_it() -> None:
    @simulated
    async def crowded() -> None:
        async with open_bank(after(0.01), max_concurrent=1, max_connections=2) as opened:
            await asyncio.gather(*(opened.task_bank.balance() for _ in range(3)))

    crowded()
    crowded()


@simulated
async def test_without_a_queue_a_full_bulkhead_rejects_at_once() -> None:
    async with open_bank(hang, max_concurrent=3, max_connections=4, bulkhead_wait=0) as opened:
        calls = [asyncio.create_task(swallow(opened.task_bank.balance())) for _ in range(3)]
        await asyncio.sleep(0)

        assert isinstance(await swallow(opened.task_bank.balance()), BulkheadFullError)

        await asyncio.gather(*calls)
