"""What the accept benchmark compares with: the least that FastAPI and asyncpg can do, and the guide's bad example.

`python queue_bare.py bare|sleep_loop URL PORT`. Both run as the service does: one process, uvicorn, asyncio's own loop.
"""

import asyncio
import json
import sys
from typing import Any

import asyncpg
import uvicorn
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel
from queue_rig import libpq_url

POOL = 10
"""As many connections as the service has."""

SETTLES_AFTER_POLLS = 2
POLLS = 30
POLL_S = 1.0


class NewOrder(BaseModel):
    """The body that the service takes."""

    payload: dict[str, Any]


class Stored(BaseModel):
    """The answer that the service gives."""

    status: str
    order_id: int


def bare(pool: asyncpg.Pool) -> FastAPI:
    """One insert of one row."""
    app = FastAPI()

    @app.post("/orders", status_code=202)
    async def create(new: NewOrder) -> Stored:
        order_id = await _insert(pool, new)
        return Stored(status="queued", order_id=order_id)

    return app


def sleep_loop(pool: asyncpg.Pool) -> FastAPI:
    """The same, and then the request waits for the external system: a question a second until it has decided."""
    app = FastAPI()

    @app.post("/orders", status_code=202)
    async def create(new: NewOrder) -> Stored:
        order_id = await _insert(pool, new)
        for polls in range(POLLS):
            if polls == SETTLES_AFTER_POLLS:
                return Stored(status="confirmed", order_id=order_id)
            await asyncio.sleep(POLL_S)
        raise HTTPException(504)

    return app


async def _insert(pool: asyncpg.Pool, new: NewOrder) -> int:
    statement = "INSERT INTO orders (payload) VALUES ($1::jsonb) RETURNING order_id"
    return int(await pool.fetchval(statement, json.dumps(new.payload)))


async def serve(kind: str, url: str, port: int) -> None:
    """Serve until SIGTERM."""
    async with asyncpg.create_pool(libpq_url(url), min_size=POOL, max_size=POOL) as pool:
        app = {"bare": bare, "sleep_loop": sleep_loop}[kind](pool)
        await uvicorn.Server(uvicorn.Config(app, port=port, log_config=None, access_log=False, lifespan="off")).serve()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], sys.argv[2], int(sys.argv[3])))
