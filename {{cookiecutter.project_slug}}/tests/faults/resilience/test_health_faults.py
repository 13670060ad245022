"""Readiness sees what is wrong with a system, and that it is back, without a restart."""

import asyncio

import pytest

from {{ cookiecutter.package_name }}.resilience.health import HealthIndicator

from . import misbehaving as faults
from .guarded import Guarded, open_guarded
from .misbehaving import misbehaving, refused_address
from tests.unit.resilience.bank import swallow

HEALTH = {"health_ttl": 1.0, "health_timeout": 0.3}


async def look(guarded: Guarded) -> str:
    """Return the health as a fresh probe sees it."""
    indicator = HealthIndicator(guarded.name, guarded.bank.ping, HEALTH["health_ttl"])
    await indicator.refresh()
    assert indicator.checked_at is not None
    return indicator.status


async def slow(writer: asyncio.StreamWriter) -> bool:
    await asyncio.sleep(HEALTH["health_timeout"] * 2)
    return await faults.good(writer)


@pytest.mark.parametrize(
    "answer",
    [faults.hang, slow, faults.drip, faults.disconnect_after, faults.status(503), faults.status(404)],
    ids=["hangs", "slow", "drips", "disconnects", "fails", "unknown"],
)
async def test_res_hc_1_a_sick_system_is_down_and_up_again_without_a_restart(answer: faults.Answer) -> None:
    async with misbehaving() as server, open_guarded(server.address, **HEALTH) as guarded:
        assert await look(guarded) == "up"
        server.answer = answer
        assert await look(guarded) == "down"
        server.heal()
        assert await look(guarded) == "up"
        guarded.assert_whole()


async def test_a_refused_connection_is_down() -> None:
    async with open_guarded(refused_address(), **HEALTH) as guarded:
        assert await look(guarded) == "down"


async def test_a_name_that_is_gone_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    async def getaddrinfo(*_: object, **__: object) -> list[object]:
        raise OSError(-2, "Name or service not known")

    async with misbehaving() as server:
        address = server.address.replace("127.0.0.1", "localhost")
        async with open_guarded(address, **HEALTH, keepalive=0.001) as guarded:
            assert await look(guarded) == "up"
            await asyncio.sleep(0.01)
            guarded.pool_forgets_names()
            with monkeypatch.context() as patch:
                patch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
                server.heal()
                await asyncio.sleep(0)
                assert await look(guarded) == "down"
            assert await look(guarded) == "up"


async def test_an_exhausted_pool_is_down_and_up_again() -> None:
    async with misbehaving() as server, open_guarded(server.address, **HEALTH) as guarded:
        server.answer = faults.drip
        leaked = [await guarded.session.get(server.address) for _ in range(6)]
        server.answer = faults.good

        assert await look(guarded) == "down"

        for response in leaked:
            response.close()
        assert await look(guarded) == "up"
        guarded.assert_whole()


async def test_res_hc_3_probes_do_not_wait_for_a_bulkhead_that_is_full() -> None:
    async with misbehaving() as server, open_guarded(server.address, **HEALTH) as guarded:
        server.answer = faults.hang
        calls = [asyncio.create_task(swallow(guarded.task_bank.balance())) for _ in range(5)]
        await server.has_read(5)
        server.answer = faults.good

        assert await look(guarded) == "up"

        await asyncio.gather(*calls)
        guarded.assert_whole()
