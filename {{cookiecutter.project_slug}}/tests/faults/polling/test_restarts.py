"""PostgreSQL restarts under load, in order and by crash."""

import time
from pathlib import Path

import pytest

from {{ cookiecutter.package_name }}.polling.database import open_database
from {{ cookiecutter.package_name }}.polling.settings import DatabaseSettings

from tests.faults.polling.conftest import prepare
from tests.faults.polling.crew import CALL_S, HELD_SINCE_BEFORE_THE_START, crew_of
from tests.faults.polling.provider import Provider
from tests.faults.polling.server import Mode, restartable_server

POLLING = {"lease": 5, "interval": 0.5, "poll_base": 0.05, "poison_after": 50}


@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_a_restarted_database_costs_nothing_but_time(provider: Provider, tmp_path: Path, mode: Mode) -> None:
    provider.latency_s = CALL_S
    async with (
        restartable_server() as server,
        open_database(server.url, DatabaseSettings()) as database,
    ):
        await prepare(database)
        async with crew_of(f"restart_{mode}", database, provider, tmp_path, server.url, polling=POLLING) as crew:
            pair = [crew.start(), crew.start()]
            for number in range(2):
                await crew.enqueue(400)
                await crew.until_it_holds(pair[number], 4)
                at = time.monotonic()
                await server.restart(mode)
                held = (await crew.ask(HELD_SINCE_BEFORE_THE_START)).keys
                crew.struck(at, frozenset(held), victims=2)
            await crew.until_done()
            assert all(worker.process.poll() is None for worker in pair), "a worker did not survive"
            evidence = await crew.finish()

    assert evidence["kills_that_hit_a_claimed_row"] == 2, evidence
    assert evidence["burned"] == 0, evidence
