"""How a measurement is asked for, and how it ends: figures, raw rounds in a file, and 1 when a threshold is missed."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says."""

    rounds: int
    json: Path | None


def options(purpose: str | None) -> Options:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=purpose)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    return Options(given.rounds, given.json)


def finish(asked: Options, rounds: Mapping[str, object], figures: Mapping[str, float], missed: Sequence[str]) -> int:
    """Print the figures, store them with the raw rounds, say what is missed; returns the exit code."""
    for name, value in figures.items():
        print(f"{name:40} {value:10}")
    if asked.json:
        asked.json.write_text(json.dumps({**rounds, **figures, "missed": missed}, indent=2) + "\n")
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0
