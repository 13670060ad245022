"""Rows in the service's own tables: put there by one statement, counted afterwards."""

import json

import asyncpg
from queue_load import PAYLOAD
from queue_rig import libpq_url

BACKLOG = """
WITH a AS (
  INSERT INTO orders (payload) SELECT $1::jsonb FROM generate_series(1, $2::int) RETURNING order_id, payload)
INSERT INTO order_confirmation_task (order_id, payload, next_attempt_at, created_at, updated_at)
SELECT order_id, payload, due, due, due
FROM (SELECT *, now() - order_id * interval '1 millisecond' AS due FROM a) AS rows"""
"""A millisecond between two rows: rows that came in over time are not due at one instant."""

FINISHED = """
WITH a AS (
  INSERT INTO orders (payload) SELECT $1::jsonb FROM generate_series(1, $2::int) RETURNING order_id, payload)
INSERT INTO order_confirmation_task
  (order_id, payload, status, claim_no, next_attempt_at, created_at, updated_at, finished_at)
SELECT order_id, payload, 'COMPLETED', 1, at, at, at, at
FROM (SELECT *, now() - order_id * interval '1 second' AS at FROM a) AS rows"""

TABLES = ("orders", "order_confirmation_task")


async def preload(url: str, tasks: int, *, finished: int = 0) -> None:
    """Store finished rows and a backlog of due ones; the tables are vacuumed and analysed as in a service at rest."""
    connection = await asyncpg.connect(libpq_url(url))
    try:
        if finished:
            await connection.execute(FINISHED, json.dumps(PAYLOAD), finished)
        if tasks:
            await connection.execute(BACKLOG, json.dumps(PAYLOAD), tasks)
        for table in TABLES:
            await connection.execute(f"VACUUM ANALYZE {table}")
    finally:
        await connection.close()


async def completed(url: str) -> tuple[int, int]:
    """Return how many tasks are completed, and how many events there are."""
    connection = await asyncpg.connect(libpq_url(url))
    try:
        tasks = await connection.fetchval("SELECT count(*) FROM order_confirmation_task WHERE status = 'COMPLETED'")
        events = await connection.fetchval("SELECT count(*) FROM polling_outbox")
    finally:
        await connection.close()
    return tasks, events
