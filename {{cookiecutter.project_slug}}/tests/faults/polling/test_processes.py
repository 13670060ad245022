"""Workers that are killed, stopped, replaced: nothing is lost, nothing has two effects, nobody pays an attempt."""

import asyncio
import signal
import time
from pathlib import Path

from {{ cookiecutter.package_name }}.polling.database import Database

from tests.faults.polling.crew import CALL_S, OPEN, crew_of
from tests.faults.polling.provider import Provider

LEASE_S = 2.0
POLLING = {"lease": LEASE_S, "interval": 0.5, "poll_base": 0.05, "poison_after": 50}


async def test_ten_kills_of_one_of_two_workers_in_the_middle_of_a_batch(
    database: Database, provider: Provider, server_url: str, tmp_path: Path
) -> None:
    provider.latency_s = CALL_S
    async with crew_of("kill_9", database, provider, tmp_path, server_url, polling=POLLING) as crew:
        await crew.enqueue(200)
        pair = [crew.start(), crew.start()]
        for number in range(10):
            await crew.enqueue(100)
            victim = pair[number % 2]
            await crew.until_it_holds(victim, 4)
            await asyncio.sleep(crew.random.uniform(0, 0.1))
            await crew.kill(victim)
            pair[number % 2] = crew.start()
        took_s = await crew.until_done()
        evidence = await crew.finish()

    assert evidence["kills_that_hit_a_claimed_row"] >= 8, evidence
    assert evidence["leases_taken_over"] > 0, evidence
    assert evidence["burned"] == 0, evidence
    assert evidence["repeated_keys"] > 0, "no kill met a call in flight"
    assert took_s < LEASE_S + 60, evidence


async def test_a_worker_that_sleeps_through_its_lease_writes_nothing_when_it_wakes(
    database: Database, provider: Provider, server_url: str, tmp_path: Path
) -> None:
    provider.latency_s = CALL_S
    async with crew_of("sigstop", database, provider, tmp_path, server_url, polling=POLLING) as crew:
        sleeper, other = crew.start(), crew.start()
        for status in (*OPEN, *OPEN):  # late submissions and late completions are different statements
            await crew.enqueue(150)
            await crew.until_it_holds(other)
            await crew.until_it_holds(sleeper, 4, status)
            at = time.monotonic()
            crew.struck(at, await crew.freeze(sleeper))
            await asyncio.sleep(LEASE_S)
            await crew.until_all_was_taken_from(sleeper)
            sleeper.signal(signal.SIGCONT)
        await crew.until_done()
        assert other.process.poll() is None
        evidence = await crew.finish()

    assert evidence["kills_that_hit_a_claimed_row"] == 4, evidence
    assert evidence["fenced_writes"] > 0, evidence
    assert evidence["leases_taken_over"] > 0, evidence
    assert evidence["burned"] == 0, evidence


async def test_five_rolling_restarts_during_a_backlog_cost_nothing_at_all(
    database: Database, provider: Provider, server_url: str, tmp_path: Path
) -> None:
    polling = {**POLLING, "lease": 30.0, "shutdown_grace": 10.0}
    provider.latency_s = CALL_S
    async with crew_of("rolling_restart", database, provider, tmp_path, server_url, polling=polling) as crew:
        await crew.enqueue(200)
        pair = [crew.start(), crew.start()]
        for number in range(10):
            await crew.enqueue(100)
            leaving, pair[number % 2] = pair[number % 2], crew.start()
            await crew.until_it_holds(leaving, 4)
            assert await crew.terminate(leaving) == 0
            assert not await crew.held_by(leaving)
        await crew.until_done()
        evidence = await crew.finish()

    assert evidence["kills_that_hit_a_claimed_row"] >= 8, evidence
    assert evidence["burned"] == 0, evidence
    assert evidence["repeated_keys"] == 0, evidence
    assert evidence["fenced_writes"] == 0, evidence
    assert evidence["leases_taken_over"] == 0, evidence


async def test_four_processes_give_each_of_five_thousand_tasks_one_effect(
    database: Database, provider: Provider, server_url: str, tmp_path: Path
) -> None:
    provider.latency_s = 0.005
    polling = {**POLLING, "lease": 30.0}
    async with crew_of("four_processes", database, provider, tmp_path, server_url, polling=polling) as crew:
        await crew.enqueue(5000)
        for _ in range(4):
            crew.start()
        for worker in crew.workers:
            await crew.until_it_holds(worker)  # all four take part, or nothing is shown
        await crew.until_done()
        evidence = await crew.finish()

    assert evidence["tasks"] == 5000
    assert evidence["repeated_keys"] == 0, evidence
    assert evidence["claims"] == 10_000, evidence  # one to submit, one to ask
    assert evidence["fenced_writes"] == 0, evidence
