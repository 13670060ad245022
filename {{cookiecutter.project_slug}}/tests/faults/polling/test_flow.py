"""A flow of two tasks whose processes die between queueing the second and recording that they did."""

import asyncio
import signal
import time
from pathlib import Path

from {{ cookiecutter.package_name }}.polling.database import Database

from tests.faults.polling.crew import CALL_S, crew_of
from tests.faults.polling.provider import Provider

KILLS = 5
TASKS = 300
POLLING = {"lease": 2, "interval": 0.5, "poll_base": 0.05, "poison_after": 50, "event_timeout": 3}

QUEUED_NOT_RECORDED = """
SELECT coalesce(array_agg(e.event_id), '{}') AS events, coalesce(array_agg(k.task_id), '{}') AS tasks
FROM polling_outbox AS e
JOIN polling_idempotency_key AS k ON k.scope = 'event:order_receipt' AND k.key = CAST(e.event_id AS text)
WHERE e.published_at IS NULL"""

STILL_SO = """
SELECT count(*) FILTER (WHERE t.status = 'COMPLETED' AND e.published_at IS NULL) AS ended_first,
  count(*) FILTER (WHERE t.status <> 'COMPLETED' AND e.published_at IS NULL) AS undecided
FROM unnest(CAST(:events AS bigint[]), CAST(:tasks AS bigint[])) AS q(event_id, task_id)
JOIN polling_outbox AS e ON e.event_id = q.event_id JOIN order_receipt_task AS t ON t.task_id = q.task_id"""

SECOND_TASKS = "SELECT count(*) AS n, count(DISTINCT order_id) AS orders FROM order_receipt_task"


async def test_each_first_task_is_followed_by_one_second_task(
    database: Database, provider: Provider, server_url: str, tmp_path: Path
) -> None:
    provider.latency_s = CALL_S
    ended_first = 0
    async with crew_of("flow", database, provider, tmp_path, server_url, polling=POLLING, flow=True) as crew:
        for _ in range(KILLS):
            await crew.enqueue(TASKS // KILLS)
            victim = crew.start(dies_at=crew.random.randint(1, 40))
            at = time.monotonic()
            assert await asyncio.to_thread(victim.process.wait, 60) == -signal.SIGKILL
            crew.struck(at, await crew.held_by(victim))
            left = await crew.ask(QUEUED_NOT_RECORDED)
            assert left.events, "the process did not die in between"
            heir = crew.start()
            decided = await crew.until(STILL_SO, lambda row: not row.undecided, events=left.events, tasks=left.tasks)
            ended_first += decided.ended_first
            await crew.until_it_runs(heir)
            assert await heir.stop() == 0
        crew.start()
        await crew.until(SECOND_TASKS, lambda row: row.n >= TASKS)
        await crew.until_done()
        second = await crew.ask(SECOND_TASKS)
        evidence = await crew.finish(events_that_came_again_after_the_end_of_their_task=ended_first)

    assert (second.n, second.orders) == (TASKS, TASKS), evidence
    assert ended_first > 0, evidence
    assert evidence["kills_that_hit_a_claimed_row"] >= 3, evidence
