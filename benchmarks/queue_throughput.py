"""Drain, waiting tasks and enqueue: the service's kit between pgbench, which nothing in Python reaches, and others.

`python benchmarks/queue_throughput.py`; raw rounds go to queue_throughput.json. ROUNDS=1 for a quick look.
"""

import sys

from queue_load import IDEAL_RATE
from queue_report import Report, Series, Threshold, rounds_from_environment
from queue_rig import enter, running_rig

ROUNDS = 5

IN_EVERY_ROUND = (
    ("pgbench", "drain"),
    ("kit", "drain_plain"),
    ("kit", "drain"),
    ("pgqueuer", "drain"),
    ("procrastinate", "drain"),
    ("kit", "waiting"),
    ("pgqueuer", "waiting"),
    ("procrastinate", "waiting"),
    ("pgbench", "enqueue"),
    ("kit", "enqueue"),
    ("pgqueuer", "enqueue"),
    ("procrastinate", "enqueue"),
    ("pgbench", "enqueue_row"),
)
ONCE = (("pgbench", "drain_events"), ("guide", "drain"), ("guide", "waiting"))

THRESHOLDS = (
    Threshold(
        "drain of no-op tasks without events, of pgbench's cycle",
        value=Series("kit", "drain_plain"),
        of=Series("pgbench", "drain"),
        limit=0.55,
    ),
    Threshold(
        "drain with events, of without",
        value=Series("kit", "drain"),
        of=Series("kit", "drain_plain"),
        limit=0.85,
    ),
    Threshold(
        "drain with events, of PgQueuer's",
        value=Series("kit", "drain"),
        of=Series("pgqueuer", "drain"),
        limit=1.8,
    ),
    Threshold(
        "drain with events, of Procrastinate's",
        value=Series("kit", "drain"),
        of=Series("procrastinate", "drain"),
        limit=25,
    ),
    Threshold(
        "tasks of 20 ms, 50 at once, of ideal",
        value=Series("kit", "waiting"),
        of=IDEAL_RATE,
        limit=0.9,
    ),
    Threshold(
        "enqueue by one caller, of pgbench's insert of the same rows",
        value=Series("kit", "enqueue"),
        of=Series("pgbench", "enqueue"),
        limit=0.4,
    ),
)


def main() -> int:
    """Run the rounds; exits non-zero when a threshold is missed."""
    enter()
    report = Report("queue_throughput", THRESHOLDS)
    with running_rig() as rig:
        for number in range(1, rounds_from_environment(ROUNDS) + 1):
            for contender, test in IN_EVERY_ROUND if number > 1 else IN_EVERY_ROUND + ONCE:
                report.add(number, contender, test, rig.measure(f"queue_{contender}", test))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
