"""A storm of cancellations: ten thousand calls, cut by their own deadlines and by their callers at random moments."""

import asyncio
import gc
from contextlib import suppress

from {{ cookiecutter.package_name }}.resilience.deadline import budget
from {{ cookiecutter.package_name }}.resilience.errors import PortError

from .guarded import Guarded, open_guarded
from .misbehaving import Misbehaving, disconnect_after, good, misbehaving
from tests.unit.resilience.simulated import Seeded

CALLS = 10_000
CALLERS = 24
"""Against 5 permits and 6 connections: most calls wait, and are cut while they wait, connect, send or read."""

SEED = 20_240_229
LONGEST_S = 0.006
RESERVE_S = 0.1


def make_moody(server: Misbehaving, dice: Seeded) -> None:
    """Let the server answer at once, late, or not at all."""

    async def answer(writer: asyncio.StreamWriter) -> bool:
        await asyncio.sleep(dice.choice((0.0, 0.0, 0.001, 0.004)))
        return await (disconnect_after if dice.random() < 0.05 else good)(writer)

    server.answer = answer


async def one_call(guarded: Guarded, dice: Seeded, seen: dict[str, int]) -> None:
    kind = dice.choice(("deadline", "cancel", "both", "calm"))
    own_s = RESERVE_S + dice.uniform(0.0002, LONGEST_S) if kind in ("deadline", "both") else None

    async def call() -> None:
        with budget(own_s):
            await dice.choice((guarded.bank.balance, guarded.task_bank.balance))()

    task = asyncio.create_task(call())
    if kind in ("cancel", "both"):
        await asyncio.sleep(dice.uniform(0, LONGEST_S))
        task.cancel()
    try:
        await task
        outcome = "ok"
    except PortError as error:
        outcome = error.code
    except asyncio.CancelledError:
        outcome = "cancelled"
    seen[outcome] = seen.get(outcome, 0) + 1


async def test_a_storm_of_cancellations_loses_no_slot_and_no_permit() -> None:
    dice = Seeded(SEED)
    seen: dict[str, int] = {}
    left = iter(range(CALLS))
    async with (
        misbehaving() as server,
        open_guarded(server.address, breaker_mode="disabled", bulkhead_wait=0.01) as guarded,
    ):
        make_moody(server, dice)

        async def caller() -> None:
            for _ in left:
                await one_call(guarded, dice, seen)

        await asyncio.gather(*(caller() for _ in range(CALLERS)))

        assert sum(seen.values()) == CALLS
        assert {"ok", "cancelled", "timed-out", "bulkhead-full"} <= set(seen), seen
        guarded.assert_whole()
        server.heal()
        assert await asyncio.gather(*(guarded.bank.balance() for _ in range(5))) == [7] * 5
        guarded.assert_whole()
    gc.collect()  # a task or a transport that was forgotten warns here, and a warning is an error


async def test_a_storm_over_an_unsteady_system_wedges_no_breaker() -> None:
    dice = Seeded(SEED)
    seen: dict[str, int] = {}
    async with (
        misbehaving() as server,
        open_guarded(server.address, breaker_min_calls=5, breaker_open=0.005, breaker_open_max=0.01) as guarded,
    ):
        make_moody(server, dice)

        async def caller() -> None:
            for _ in range(CALLS // 10 // CALLERS):
                await one_call(guarded, dice, seen)

        await asyncio.gather(*(caller() for _ in range(CALLERS)))
        server.heal()

        async with asyncio.timeout(5):
            while guarded.guard.state != "closed":
                await asyncio.sleep(guarded.guard.closed_for_s())
                with suppress(PortError):
                    await guarded.task_bank.balance()
        guarded.assert_whole()
