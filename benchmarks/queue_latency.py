"""Pickup on an idle queue, and the claim beside ever more finished rows.

`python benchmarks/queue_latency.py`; raw rounds go to queue_latency.json. ROUNDS=1 for a quick look.
"""

import asyncio
import sys

from queue_report import Report, Series, Threshold, rounds_from_environment
from queue_rig import Rig, enter, running_rig

ROUNDS = 5
FINISHED = {"finished_100k": 100_000, "finished_1m": 1_000_000}
BACKLOG = 10_000

THRESHOLDS = (
    Threshold(
        "pickup p50, of the enqueue's own time",
        value=Series("kit", "pickup", "p50_per_enqueue"),
        of=1.0,
        limit=2.0,
        at_most=True,
    ),
    Threshold(
        "claim of 50 beside 1,000,000 finished rows, ms",
        value=Series("kit", "finished_1m", "p50_ms"),
        of=1.0,
        limit=2.0,
        at_most=True,
    ),
    Threshold(
        "claim beside 1,000,000 finished rows, of beside 100,000",
        value=Series("kit", "finished_1m", "p50_ms"),
        of=Series("kit", "finished_100k", "p50_ms"),
        limit=1.25,  # flat: an index or a plan that sees finished rows would give ten
        at_most=True,
    ),
)


def main() -> int:
    """Run the rounds; exits non-zero when a threshold is missed."""
    enter()
    report = Report("queue_latency", THRESHOLDS)
    with running_rig() as rig:
        _prepare(rig)
        for number in range(1, rounds_from_environment(ROUNDS) + 1):
            for contender in ("kit", "pgqueuer", "procrastinate"):
                report.add(number, contender, "pickup", rig.measure(f"queue_{contender}", "pickup"))
            for template in FINISHED:
                report.add(number, "kit", template, rig.measure("queue_claim", "claim", template=template))
        report.add(number, "guide", "pickup", rig.measure("queue_guide", "pickup"))
    return report.finish()


def _prepare(rig: Rig) -> None:
    """Fill one database per number of finished rows; every measurement works on a copy."""
    from queue_tables import preload  # only there after `enter`

    for name, finished in FINISHED.items():
        rig.create(name)
        asyncio.run(preload(rig.url(name), BACKLOG, finished=finished))


if __name__ == "__main__":
    sys.exit(main())
