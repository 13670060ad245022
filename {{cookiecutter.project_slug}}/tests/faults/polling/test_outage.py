"""An outage that lasts longer than all retries together fails no task."""

import asyncio
from pathlib import Path

import pytest

from {{ cookiecutter.package_name }}.polling.database import Database

from tests.faults.polling.crew import crew_of
from tests.faults.polling.provider import Provider

ATTEMPTS = 8
BACKOFF_S = 0.2
POLLING = {
    "lease": 5,
    "interval": 0.5,
    "poll_base": 0.05,
    "max_attempts": ATTEMPTS,
    "backoff_max": BACKOFF_S,
}


@pytest.mark.parametrize("tasks", [1000, 1], ids=["backlog", "single"])
async def test_outage_longer_than_all_retries_fails_no_task(
    database: Database, provider: Provider, server_url: str, tmp_path: Path, tasks: int
) -> None:
    provider.failing = True
    suite = f"outage_{tasks}"
    async with crew_of(suite, database, provider, tmp_path, server_url, polling=POLLING, breaker=True) as crew:
        await crew.enqueue(tasks)
        worker = crew.start()
        await crew.until_it_holds(worker)
        await asyncio.sleep(4 * ATTEMPTS * BACKOFF_S * 1.2)
        touched = (await crew.ask("SELECT sum(claim_no) AS n FROM order_confirmation_task")).n
        refused = provider.refused
        provider.failing = False
        took_s = await crew.until_done()
        evidence = await crew.finish(calls_during_the_outage=refused, claims_during_the_outage=int(touched))

    assert refused > ATTEMPTS, "the outage was not met"
    assert touched < 150, evidence  # whatever the backlog
    assert evidence["burned"] < 60, evidence
    assert took_s < 30, evidence
