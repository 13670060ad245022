"""What one hanging system costs its neighbour: throughput and p99 of the healthy one, alone and beside the sick one.

`python -m tests.faults.resilience.measure_isolation [--rounds N] [--json FILE]` alternates quiet and disturbed phases
in one run, prints a table, stores the raw rounds, and exits 1 when a threshold is missed.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from statistics import median

from {{ cookiecutter.package_name }}.resilience.call import Call
from {{ cookiecutter.package_name }}.resilience.errors import PortError
from {{ cookiecutter.package_name }}.resilience.guard import Guard, open_guard
from {{ cookiecutter.package_name }}.resilience.protected import read
from {{ cookiecutter.package_name }}.resilience.settings import ClientSettings

from .fast_server import fast_server
from .report import finish, options

CALLERS = 8
CALLS = 250  # per caller and phase
SICK_CALLERS = 32  # twice what the bulkhead lets through: half of them hang, half are refused again and again
SETTLE_S = 0.3
MIN_THROUGHPUT_RATIO = 0.9
MAX_P99_RATIO = 1.5


class Neighbour:
    """An adapter of either system."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    @read
    async def ask(self, call: Call) -> str:
        """Get an answer."""
        return str((await call.get("/fast"))["status"])

    @read
    async def ask_in_vain(self, call: Call) -> None:
        """Get none."""
        await call.get("/hang")


async def phase(healthy: Neighbour) -> dict[str, float]:
    """Call the healthy system and return calls per second and p99."""
    times: list[float] = []

    async def caller() -> None:
        for _ in range(CALLS):
            started = time.perf_counter()
            await healthy.ask()
            times.append(time.perf_counter() - started)

    started = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(CALLERS)))
    took_s = time.perf_counter() - started
    times.sort()
    return {"calls_per_s": round(len(times) / took_s, 1), "p99_ms": round(times[int(len(times) * 0.99)] * 1e3, 3)}


@asynccontextmanager
async def full_load(sick: Neighbour) -> AsyncIterator[None]:
    """Keep the hanging system's bulkhead full, and its refusals coming."""

    async def caller() -> None:
        while True:
            try:
                await sick.ask_in_vain()
            except PortError:
                continue

    callers = [asyncio.create_task(caller()) for _ in range(SICK_CALLERS)]
    await asyncio.sleep(SETTLE_S)
    try:
        yield
        if sick.guard.room() > 0:
            raise RuntimeError("the sick system was not under full load")
    finally:
        for task in callers:
            task.cancel()
        await asyncio.gather(*callers, return_exceptions=True)


async def measure(rounds: int, address: str) -> list[dict[str, dict[str, float]]]:
    """Return both phases of each round."""
    # The breaker would end the load after ten timeouts: here the bulkhead alone has to keep the peace.
    sick_settings = ClientSettings(base_url=address, breaker_mode="disabled")
    async with (
        open_guard("bench_healthy", ClientSettings(base_url=address)) as one,
        open_guard("bench_sick", sick_settings) as other,
    ):
        healthy, sick = Neighbour(one), Neighbour(other)
        await phase(healthy)
        results = []
        for _ in range(rounds):
            alone = await phase(healthy)
            async with full_load(sick):
                beside = await phase(healthy)
            results.append({"alone": alone, "beside_a_hanging_system": beside})
        return results


def main() -> int:
    """Measure, print, store, judge."""
    asked = options(__doc__)
    with fast_server() as address:
        results = asyncio.run(measure(asked.rounds, address))

    def ratio(figure: str) -> float:
        return round(median(r["beside_a_hanging_system"][figure] / r["alone"][figure] for r in results), 3)

    figures = {"throughput_ratio": ratio("calls_per_s"), "p99_ratio": ratio("p99_ms")}
    missed = []
    if figures["throughput_ratio"] < MIN_THROUGHPUT_RATIO:
        missed.append(f"throughput_ratio is {figures['throughput_ratio']}, under {MIN_THROUGHPUT_RATIO}")
    if figures["p99_ratio"] > MAX_P99_RATIO:
        missed.append(f"p99_ratio is {figures['p99_ratio']}, over {MAX_P99_RATIO}")
    print(f"{'round':>5} {'alone':>22} {'beside a hanging system':>28}")
    for number, result in enumerate(results, 1):
        alone, beside = result["alone"], result["beside_a_hanging_system"]
        print(
            f"{number:>5} {alone['calls_per_s']:>10.0f}/s {alone['p99_ms']:>7.2f} ms"
            f" {beside['calls_per_s']:>14.0f}/s {beside['p99_ms']:>9.2f} ms"
        )
    return finish(asked, {"rounds": results}, figures, missed)


if __name__ == "__main__":
    sys.exit(main())
