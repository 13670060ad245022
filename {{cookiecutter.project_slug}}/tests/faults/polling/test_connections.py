"""Connections that are killed at random."""

import asyncio
import time
from pathlib import Path

from {{ cookiecutter.package_name }}.polling.database import Database

from tests.faults.polling.crew import crew_of
from tests.faults.polling.provider import Provider

KILL_ONE = """
WITH victim AS MATERIALIZED (
  SELECT pid FROM pg_stat_activity
  WHERE application_name = 'resilient-service' AND pid <> pg_backend_pid() AND backend_type = 'client backend'
  ORDER BY random() LIMIT 1),
killed AS (SELECT pg_terminate_backend(pid) AS killed FROM victim)
SELECT coalesce(bool_or(killed), false) AS hit FROM killed"""


async def test_connections_killed_at_random_cost_nothing(
    database: Database, provider: Provider, server_url: str, tmp_path: Path
) -> None:
    polling = {"lease": 2, "interval": 0.5, "poll_base": 0.05, "poison_after": 50}
    async with crew_of("terminate_backend", database, provider, tmp_path, server_url, polling=polling) as crew:
        await crew.enqueue(3000)
        pair = [crew.start(), crew.start()]
        for worker in pair:
            await crew.until_it_holds(worker)
        until = time.monotonic() + 8
        while time.monotonic() < until:
            row = await crew.ask(KILL_ONE)
            crew.kills += 1
            crew.kills_that_hit += row.hit
            await asyncio.sleep(crew.random.uniform(0.02, 0.2))
        await crew.until_done()
        evidence = await crew.finish()

    assert evidence["kills_that_hit_a_claimed_row"] >= 20, evidence
    assert evidence["burned"] == 0, evidence
    assert evidence["repeated_keys"] <= 16 * evidence["kills"], evidence
