"""Connections that are killed at random."""

import asyncio
import time
from pathlib import Path

from {{ cookiecutter.package_name }}.polling.database import Database

from tests.faults.polling.crew import CALL_S, crew_of
from tests.faults.polling.provider import Provider

KILL_ONE = """
WITH victim AS MATERIALIZED (
  SELECT pid, application_name, state = 'active' AS busy FROM pg_stat_activity
  WHERE application_name LIKE 'worker %' AND backend_type = 'client backend'
  ORDER BY state = 'active' DESC, md5(CAST(:dice AS text) || pid) LIMIT 1)
SELECT split_part(application_name, ' ', 2) AS worker, busy, pg_terminate_backend(pid) AS killed FROM victim
UNION ALL SELECT '0', false, false WHERE NOT EXISTS (SELECT FROM victim)"""


async def test_connections_killed_at_random_cost_nothing(
    database: Database, provider: Provider, server_url: str, tmp_path: Path
) -> None:
    provider.latency_s = CALL_S
    busy = 0
    polling = {"lease": 2, "interval": 0.5, "poll_base": 0.05, "poison_after": 50}
    async with crew_of("terminate_backend", database, provider, tmp_path, server_url, polling=polling) as crew:
        await crew.enqueue(1200)
        pair = [crew.start(), crew.start()]
        for worker in pair:
            await crew.until_it_holds(worker)
        until = time.monotonic() + 8
        while time.monotonic() < until:
            at = time.monotonic()
            row = await crew.ask(KILL_ONE, dice=str(crew.random.random()))
            if row.killed:  # a worker that lost all its connections has none to lose
                crew.struck(at, await crew.held_by(int(row.worker)))
                busy += row.busy
            await asyncio.sleep(crew.random.uniform(0.02, 0.2))
        await crew.until_done()
        evidence = await crew.finish(kills_in_the_middle_of_a_statement=busy)

    assert evidence["kills_that_hit_a_claimed_row"] >= 20, evidence
    assert busy > 0, evidence
    assert evidence["burned"] == 0, evidence
