"""How late the event loop runs: a blocked loop looks like a slow external system, so both are exported."""

import asyncio

from prometheus_client import Histogram

LAG = Histogram(
    "event_loop_lag_seconds",
    "How much later than asked a sleep of the event loop ended.",
    buckets=(0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 5),
)
PERIOD_S = 0.25
"""Short enough to meet a block of the smallest worrying length, long enough to cost nothing."""


async def watch_loop_lag() -> None:
    """Measure until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + PERIOD_S
        await asyncio.sleep(PERIOD_S)
        LAG.observe(max(0.0, loop.time() - due))
