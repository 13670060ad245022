"""Measures how baking grows: 50 systems and 50 tasks must take less than 1.5 times as long as one and one.

The two are baked in turn, so that a noisy neighbour slows both. Raw rounds go to benchmarks/bake.json.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TEMPLATE = Path(__file__).resolve().parents[1]
BUILD = TEMPLATE / "build"
RESULT = TEMPLATE / "benchmarks" / "bake.json"
ROUNDS = 5  # the median of five: one slow bake decides nothing
MAX_RATIO = 1.5  # beyond, a platform team with fifty systems would feel it
COUNTS = (1, 50)


def answers(count: int) -> list[str]:
    """Returns that many systems with a task each, on aggregates of their own."""
    systems = [f"system{number}" for number in range(count)]
    tasks = [f"thing{number}_check@{system}" for number, system in enumerate(systems)]
    return [f"external_systems={','.join(systems)}", f"tasks={','.join(tasks)}"]


def bake_s(count: int) -> float:
    """Returns the seconds that one run of the command takes, start of the interpreter included."""
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        config = Path(folder, "config.yaml")
        config.write_text(f"cookiecutters_dir: {folder}/clones\nreplay_dir: {folder}/replay\n", encoding="utf-8")
        command = [sys.executable, "-m", "cookiecutter", str(TEMPLATE), "--no-input", "--output-dir", folder]
        begin = time.perf_counter()
        subprocess.run([*command, "--config-file", str(config), *answers(count)], check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - begin


def main() -> int:
    """Runs the rounds, writes and prints them; exits non-zero when the limit is missed."""
    bake_s(1)  # warms the file cache
    rounds = {count: [0.0] * ROUNDS for count in COUNTS}
    for number in range(ROUNDS):
        for count in COUNTS:
            rounds[count][number] = round(bake_s(count), 3)
    few, many = (statistics.median(rounds[count]) for count in COUNTS)
    ratio = many / few
    result = {
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "commit": revision(),
        "rounds_s": {f"{count} systems and tasks": rounds[count] for count in COUNTS},
        "median_s": {f"{count} systems and tasks": round(statistics.median(rounds[count]), 3) for count in COUNTS},
        "ratio": round(ratio, 3),
        "max_ratio": MAX_RATIO,
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2))
    if ratio >= MAX_RATIO:
        print(f"missed: {COUNTS[1]} took {ratio:.2f} times as long as {COUNTS[0]}", file=sys.stderr)
        return 1
    return 0


def revision() -> str:
    """Returns the commit that was measured."""
    command = ["git", "-C", str(TEMPLATE), "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
