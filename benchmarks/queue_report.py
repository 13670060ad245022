"""Rounds, thresholds and tables of the queue benchmarks.

A ratio is the median of the ratios of the rounds: within a round the contenders ran one after the other, so a neighbour
who slows the machine for a while slows both sides.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Series:
    """One number of one test of one contender, over the rounds."""

    contender: str
    test: str
    key: str = "rate"

    def __str__(self) -> str:
        return f"{self.contender} {self.test}"


@dataclass(frozen=True, slots=True)
class Threshold:
    """What must hold: `value` divided by `of` reaches `limit`, or with `at_most` does not exceed it."""

    what: str
    value: Series
    of: Series | float
    limit: float
    at_most: bool = False

    def holds(self, ratio: float) -> bool:
        """Tell whether a ratio is good enough."""
        return ratio <= self.limit if self.at_most else ratio >= self.limit


@dataclass(slots=True)
class Report:
    """The raw rounds, and what follows from them."""

    name: str
    thresholds: Sequence[Threshold]
    rounds: list[dict[str, object]] = field(default_factory=list)
    _values: dict[Series, dict[int, float]] = field(default_factory=dict)

    def add(self, number: int, contender: str, test: str, values: Mapping[str, float]) -> None:
        """Keep what one measurement gave, and say so: minutes without a word look like a hang."""
        self.rounds.append({"round": number, "contender": contender, "test": test, **values})
        for key, value in values.items():
            self._values.setdefault(Series(contender, test, key), {})[number] = value
        shown = "  ".join(f"{key} {value:,.2f}" for key, value in values.items())
        print(f"round {number}  {contender:13} {test:14} {shown}", flush=True)

    def series(self) -> Iterator[tuple[Series, list[float]]]:
        """Go through all numbers, by test."""
        order = list(dict.fromkeys(series.test for series in self._values))
        for series in sorted(self._values, key=lambda s: order.index(s.test)):
            yield series, list(self._values[series].values())

    def ratio(self, threshold: Threshold) -> float:
        """Return the median of the rounds' ratios."""
        values, of = self._values[threshold.value], threshold.of
        if not isinstance(of, Series):
            return statistics.median(value / of for value in values.values())
        others = self._values[of]
        return statistics.median(value / others[number] for number, value in values.items() if number in others)

    def finish(self) -> int:
        """Print the tables, write the rounds, return the exit code."""
        held = [(threshold, self.ratio(threshold)) for threshold in self.thresholds]
        print(f"\n{self._numbers()}\n\n{_table(held)}\n", flush=True)
        result = {
            "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
            "python": platform.python_version(),
            "commit": _commit(),
            "load_average": os.getloadavg(),
            "thresholds": [
                {
                    "what": t.what,
                    "ratio": round(ratio, 3),
                    "limit": t.limit,
                    "at_most": t.at_most,
                    "met": t.holds(ratio),
                }
                for t, ratio in held
            ],
            "rounds": self.rounds,
        }
        path = HERE / f"{self.name}.json"
        path.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
        missed = [threshold.what for threshold, ratio in held if not threshold.holds(ratio)]
        for what in missed:
            print(f"missed: {what}", file=sys.stderr)
        return 1 if missed else 0

    def _numbers(self) -> str:
        lines = ["| test | contender | number | median | min .. max | rounds |", "|---|---|---|---|---|---|"]
        for series, values in self.series():
            span = f"{min(values):,.2f} .. {max(values):,.2f}"
            median = f"{statistics.median(values):,.2f}"
            lines.append(f"| {series.test} | {series.contender} | {series.key} | {median} | {span} | {len(values)} |")
        return "\n".join(lines)


def _table(held: Sequence[tuple[Threshold, float]]) -> str:
    lines = ["| threshold | limit | measured | |", "|---|---|---|---|"]
    for threshold, ratio in held:
        sign = "<=" if threshold.at_most else ">="
        verdict = "met" if threshold.holds(ratio) else "MISSED"
        lines.append(f"| {threshold.what} | {sign} {threshold.limit:g} | {ratio:.2f} | {verdict} |")
    return "\n".join(lines)


def _commit() -> str:
    command = ["git", "-C", str(HERE), "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def rounds_from_environment(default: int) -> int:
    """Return how many rounds to run: `ROUNDS=1` gives a quick look that decides nothing."""
    return max(1, int(os.environ.get("ROUNDS", default)))
