"""The limit: bare SQL by pgbench, which comes with the embedded PostgreSQL, on the service's own tables.

One client, prepared statements. The cycle claims a hundred rows and completes them, without events and without sending
the payloads: nothing that a queue does could be left out of it. The insert stores what the kit stores.
"""

import asyncio
import json
import re
import tempfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from dev.postgres_home import programs
from queue_load import CYCLE_ROWS, ENQUEUED, PAYLOAD, TASKS, run
from queue_rig import LIMIT_S
from queue_tables import completed, preload

RATE = re.compile(r"tps = ([\d.]+) \(without initial connection time\)")
DONE = re.compile(r"number of transactions actually processed: (\d+)")

CYCLE = f"""
WITH due AS MATERIALIZED (
  SELECT task_id FROM order_confirmation_task
  WHERE status IN ('PENDING', 'IN_PROGRESS') AND next_attempt_at <= now()
  ORDER BY next_attempt_at LIMIT {CYCLE_ROWS} FOR UPDATE SKIP LOCKED),
claimed AS (
  UPDATE order_confirmation_task AS t SET claimed_by = 'pgbench', claim_no = t.claim_no + 1,
    no_outcome = t.no_outcome + 1, updated_at = now(), next_attempt_at = now() + 30 * interval '1 second'
  FROM due WHERE t.task_id = due.task_id RETURNING t.task_id, t.claim_no, t.payload)
SELECT array_agg(task_id)::text AS ids, array_agg(claim_no)::text AS claims, count(payload) AS rows FROM claimed \\gset
WITH d AS (SELECT * FROM unnest(:ids::text::bigint[], :claims::text::int[]) AS d(task_id, claim_no)),
u AS (
  UPDATE order_confirmation_task AS t SET status = 'COMPLETED', claimed_by = NULL, no_outcome = 0, last_error = NULL,
    updated_at = now(), finished_at = now()
  FROM d WHERE t.task_id = d.task_id AND t.claim_no = d.claim_no AND t.claimed_by IS NOT NULL
  RETURNING t.task_id, t.order_id){{event}}
SELECT count(*) FROM u;
"""

EVENT = """,
o AS (
  INSERT INTO polling_outbox (topic, task, task_id, aggregate, aggregate_id)
  SELECT 'order_confirmation.completed', 'order_confirmation', task_id, 'order', order_id FROM u)"""

INSERT = f"""
WITH a AS (INSERT INTO orders (payload) VALUES ('{json.dumps(PAYLOAD)}'::jsonb) RETURNING order_id)
INSERT INTO order_confirmation_task (order_id, payload)
SELECT order_id, '{json.dumps(PAYLOAD)}'::jsonb FROM a RETURNING order_id, task_id;
"""

INSERT_ROW = f"""
INSERT INTO orders (payload) VALUES ('{json.dumps(PAYLOAD)}'::jsonb) RETURNING order_id;
"""


async def drain(url: str) -> dict[str, float]:
    """Claim and complete."""
    return await _drain(url, CYCLE.format(event=""), events=0)


async def drain_events(url: str) -> dict[str, float]:
    """Claim and complete, with the event."""
    return await _drain(url, CYCLE.format(event=EVENT), events=TASKS)


async def _drain(url: str, script: str, *, events: int) -> dict[str, float]:
    await preload(url, TASKS)
    rate = await _pgbench(url, script, TASKS // CYCLE_ROWS)
    if (found := await completed(url)) != (TASKS, events):
        raise ValueError(f"{found} tasks and events instead of {(TASKS, events)}")
    return {"rate": rate * CYCLE_ROWS}


async def enqueue(url: str) -> dict[str, float]:
    """Aggregate and task in one statement."""
    return {"rate": await _pgbench(url, INSERT, ENQUEUED)}


async def enqueue_row(url: str) -> dict[str, float]:
    """One row, for the scale."""
    return {"rate": await _pgbench(url, INSERT_ROW, ENQUEUED)}


async def _pgbench(url: str, script: str, transactions: int) -> float:
    """Run a script that many times; returns transactions a second."""
    address = urlsplit(url)
    socket = parse_qs(address.query)["host"][0]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "script.sql")
        file.write_text(script.strip() + "\n", encoding="utf-8")
        process = await asyncio.create_subprocess_exec(
            programs().path("pgbench"), "--host", socket, "--username", "postgres", "--no-vacuum",
            "--protocol", "prepared", "--client", "1", "--transactions", str(transactions),
            "--file", str(file), address.path.lstrip("/"),
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        async with asyncio.timeout(LIMIT_S):
            output = (await process.communicate())[0].decode()
    rate, done = RATE.search(output), DONE.search(output)
    if process.returncode or rate is None or done is None or int(done[1]) != transactions:
        raise ValueError(f"pgbench: {output}")
    return float(rate[1])


if __name__ == "__main__":
    run({"drain": drain, "drain_events": drain_events, "enqueue": enqueue, "enqueue_row": enqueue_row})
