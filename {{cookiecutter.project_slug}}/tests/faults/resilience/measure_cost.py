"""What the guard costs: on plain httpx, on aiohttp's transport, and while its breaker is open.

`python -m tests.faults.resilience.measure_cost [--rounds N] [--json FILE]` prints a table, stores the raw rounds, and
exits 1 when a threshold is missed. A round measures all variants in turn, batch by batch; only ratios within a
round are judged, and their medians decide.
"""

import asyncio
import math
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from statistics import median

import httpx

from {{ cookiecutter.package_name }}.resilience.call import Call
from {{ cookiecutter.package_name }}.resilience.errors import CircuitOpenError
from {{ cookiecutter.package_name }}.resilience.guard import Guard, open_guard
from {{ cookiecutter.package_name }}.resilience.protected import read
from {{ cookiecutter.package_name }}.resilience.settings import ClientSettings

from .fast_server import fast_server
from .report import finish, options

BATCHES = 60  # per round; what disturbs a batch is no property of the guard
CALLS = 5  # per batch: some milliseconds, within a slice of a busy processor's time
REFUSALS = 100
GUARDED_MAX_RATIO = 1.05  # the whole guard without retry, on the transport that the plain call uses
AIOHTTP_MAX_RATIO = 0.6  # what a service really does, retry included, against an unguarded call on plain httpx
REFUSAL_MAX_US = 20.0

Action = Callable[[], Awaitable[object]]


class Reader:
    """The smallest adapter."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    @read
    async def status(self, call: Call) -> str:
        """Ask for a status."""
        return str((await call.get("/fast"))["status"])


async def per_call_us(action: Action, calls: int) -> float:
    """Return microseconds per call."""
    started = time.perf_counter()
    for _ in range(calls):
        await action()
    return (time.perf_counter() - started) / calls * 1e6


async def one_round(variants: Mapping[str, tuple[Action, int]]) -> dict[str, float]:
    """Measure all variants in turn, batch by batch, and return each one's least disturbed batch."""
    best = dict.fromkeys(variants, math.inf)
    order = list(variants)
    for _ in range(BATCHES):
        order = [*order[1:], order[0]]
        for name in order:
            best[name] = min(best[name], await per_call_us(*variants[name]))
    return {name: round(took, 2) for name, took in best.items()}


async def refuse(reader: Reader) -> None:
    """Call an open breaker."""
    try:
        await reader.status()
    except CircuitOpenError:
        return
    raise AssertionError("the breaker is not open")


async def measure(rounds: int, address: str) -> list[dict[str, float]]:
    """Return microseconds per call, by variant, for each round."""
    settings = ClientSettings(base_url=address)
    forced = ClientSettings(base_url=address, breaker_mode="forced_open")
    plain_transport = httpx.AsyncHTTPTransport(limits=httpx.Limits(max_connections=settings.max_connections))
    async with (
        httpx.AsyncClient(base_url=address, trust_env=False) as plain,
        open_guard("bench_httpx", settings, transport=plain_transport) as on_httpx,
        open_guard("bench_aiohttp", settings) as on_aiohttp,
        open_guard("bench_open", forced) as opened,
    ):
        guarded, real, refused = Reader(on_httpx.single_attempt()), Reader(on_aiohttp), Reader(opened)

        async def unguarded() -> str:
            answer = await plain.get("/fast")
            answer.raise_for_status()
            return str(answer.json()["status"])

        variants: Mapping[str, tuple[Action, int]] = {
            "plain httpx, unguarded": (unguarded, CALLS),
            "plain httpx, guarded": (guarded.status, CALLS),
            "aiohttp transport, guarded with retry": (real.status, CALLS),
            "refused by an open breaker": (lambda: refuse(refused), REFUSALS),
        }
        await one_round(variants)  # warms connections and caches
        return [await one_round(variants) for _ in range(rounds)]


def judge(results: list[dict[str, float]]) -> tuple[Mapping[str, float], list[str]]:
    """Return the figures and what is wrong with them."""

    def ratio(name: str) -> float:
        return round(median(result[name] / result["plain httpx, unguarded"] for result in results), 3)

    figures = {
        "guard_on_httpx_ratio": ratio("plain httpx, guarded"),
        "guarded_on_aiohttp_ratio": ratio("aiohttp transport, guarded with retry"),
        "refusal_us": round(median(result["refused by an open breaker"] for result in results), 2),
    }
    limits = {
        "guard_on_httpx_ratio": GUARDED_MAX_RATIO,
        "guarded_on_aiohttp_ratio": AIOHTTP_MAX_RATIO,
        "refusal_us": REFUSAL_MAX_US,
    }
    missed = [f"{name} is {figures[name]}, over {limit}" for name, limit in limits.items() if figures[name] > limit]
    return figures, missed


def main() -> int:
    """Measure, print, store, judge."""
    asked = options(__doc__)
    with fast_server() as address:
        results = asyncio.run(measure(asked.rounds, address))
    figures, missed = judge(results)
    for name in results[0]:
        values = sorted(result[name] for result in results)
        print(f"{name:40} {median(values):10.1f} us   ({values[0]:.1f} - {values[-1]:.1f})")
    return finish(asked, {"rounds_us": results}, figures, missed)


if __name__ == "__main__":
    sys.exit(main())
