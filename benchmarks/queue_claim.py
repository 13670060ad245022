"""The kit's claim out of a backlog; the rows are handed back, so every claim meets the same backlog."""

import time

from benched.adapters.outbound.db.tasks.order_confirmation import order_confirmation_tasks
from benched.polling.database import open_database
from benched.polling.settings import DatabaseSettings, PollingSettings
from benched.polling.settlement import released
from benched.polling.store import TaskStore
from queue_load import percentile, run

ROWS = 50
WARM_UP = 10
CLAIMS = 100


async def claim(url: str) -> dict[str, float]:
    """Milliseconds of one claim, round trip and decoding of the rows included."""
    took_s = []
    async with open_database(url, DatabaseSettings()) as database:
        store = TaskStore(database, order_confirmation_tasks, PollingSettings(), worker="bench")
        for number in range(WARM_UP + CLAIMS):
            begin = time.perf_counter()
            claimed = await store.claim(ROWS)
            if number >= WARM_UP:
                took_s.append(time.perf_counter() - begin)
            if len(claimed) != ROWS:
                raise ValueError(f"{len(claimed)} rows claimed instead of {ROWS}")
            await store.settle([released(row.task) for row in claimed])
    return {"p50_ms": 1000 * percentile(took_s, 0.5), "p99_ms": 1000 * percentile(took_s, 0.99)}


if __name__ == "__main__":
    run({"claim": claim})
