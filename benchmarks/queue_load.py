"""The load that every contender gets, and how it is timed. A contender is a program: `queue_kit.py TEST URL`."""

import asyncio
import json
import random
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence

CHANCE = random.SystemRandom()

PAYLOAD = {"order": {"sku": "A-1234567890", "qty": 3, "address": "x" * 200}}
TASKS = 40_000
"""No-op tasks to drain: some seconds for the fastest, so that start and end do not count."""

CYCLE_ROWS = 100
"""What pgbench's cycle claims and completes; the kit's statements take no more."""

IN_HAND = 200
"""No-op tasks that a queue may run at once, or fetch together. All of them are slower with fewer."""

SLOW_CONTENDER_TASKS = 2_000
"""For those that would need minutes: their rate does not depend on the number."""

WAITING_TASKS = 2_000
WAIT_S = 0.02
"""What a task waits in the waiting test, as for an external system."""

AT_ONCE = 50
IDEAL_RATE = AT_ONCE / WAIT_S

ENQUEUED = 2_000
WARM_UP = 100
PICKUPS = 150
PAUSE_S = (0.02, 0.06)
"""Between enqueues of the pickup test: the queue is idle when a task arrives."""

Test = Callable[[str], Awaitable[dict[str, float]]]


def run(tests: dict[str, Test]) -> None:
    """Run the test that the command line names on the database that it names, and print the result."""
    name, url = sys.argv[1:3]
    result = asyncio.run(_run(tests[name], url))
    print(json.dumps({key: round(value, 4) for key, value in result.items()}), flush=True)


async def _run(test: Test, url: str) -> dict[str, float]:
    return await test(url)


async def enqueue_rate(enqueue: Callable[[int], Awaitable[object]]) -> dict[str, float]:
    """One caller, one after the other."""
    for number in range(WARM_UP):
        await enqueue(number)
    begin = time.perf_counter()
    for number in range(ENQUEUED):
        await enqueue(number)
    return {"rate": ENQUEUED / (time.perf_counter() - begin)}


class Countdown:
    """Tells when the last of a number of tasks has been run."""

    def __init__(self, tasks: int) -> None:
        self.left = tasks
        self.over = asyncio.Event()

    def hit(self) -> None:
        """One more was run."""
        self.left -= 1
        if self.left == 0:
            self.over.set()


class Pickups:
    """Measures from before an enqueue to the start of the handler, on an idle queue."""

    def __init__(self) -> None:
        self._asked: list[float] = []
        self._enqueued_s: list[float] = []
        self._picked: dict[int, float] = {}

    def picked(self, number: int) -> None:
        """The handler of a task has started."""
        self._picked.setdefault(number, time.perf_counter())

    async def run(
        self,
        enqueue: Callable[[int], Awaitable[object]],
        *,
        count: int = PICKUPS,
        pause_s: tuple[float, float] = PAUSE_S,
        patience_s: float = 2.0,
    ) -> dict[str, float]:
        """Enqueue now and then, wait for the last pickup, return milliseconds."""
        for number in range(count):
            await asyncio.sleep(CHANCE.uniform(*pause_s))
            begin = time.perf_counter()
            self._asked.append(begin)
            await enqueue(number)
            self._enqueued_s.append(time.perf_counter() - begin)
        give_up = time.perf_counter() + patience_s
        while len(self._picked) < count and time.perf_counter() < give_up:
            await asyncio.sleep(0.05)
        if len(self._picked) < count:
            raise TimeoutError(f"{count - len(self._picked)} of {count} tasks were not picked up")
        waits = [self._picked[number] - asked for number, asked in enumerate(self._asked)]
        enqueue_p50_s = percentile(self._enqueued_s, 0.5)
        return {
            "p50_ms": 1000 * percentile(waits, 0.5),
            "p99_ms": 1000 * percentile(waits, 0.99),
            "enqueue_p50_ms": 1000 * enqueue_p50_s,
            "p50_per_enqueue": percentile(waits, 0.5) / enqueue_p50_s,
        }


def percentile(values: Iterable[float], share: float) -> float:
    """Return the value that `share` of the values do not exceed."""
    ordered: Sequence[float] = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
