from __future__ import annotations

import asyncpg

CLAIM = """
    WITH due AS (
        SELECT id FROM outbox
        WHERE sent_at IS NULL
        ORDER BY id
        LIMIT $1
        FOR UPDATE SKIP LOCKED
    )
    UPDATE outbox SET leased_until = now() + $2 FROM due WHERE outbox.id = due.id
    RETURNING outbox.id, outbox.topic, outbox.payload
"""  # looks like ASYNC-1-SQL


class OutboxRepository:
    """looks like WHERE-X1: no wrapper around its statements."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def claim(self, batch: int, lease) -> list[asyncpg.Record]:
        async with self._pool.acquire() as connection:
            return await connection.fetch(CLAIM, batch, lease)

    async def due(self, batch: int) -> list[asyncpg.Record]:
        async with self._pool.acquire() as connection:
            return await connection.fetch("SELECT id, topic, payload FROM outbox_task WHERE status = 'PENDING' ORDER BY id LIMIT $1 FOR UPDATE", batch)  #! ASYNC-1-SQL

    async def sent(self, ids: list[int]) -> None:
        async with self._pool.acquire() as connection:
            await connection.execute("UPDATE outbox SET sent_at = now() WHERE id = ANY($1)", ids)

    async def oldest(self) -> float | None:
        async with self._pool.acquire() as connection:
            # looks like ASYNC-1-SQL: the age of the oldest row, a metric
            return await connection.fetchval("SELECT extract(epoch FROM now() - min(created_at)) FROM outbox WHERE sent_at IS NULL")
