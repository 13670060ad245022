"""Where the resilience benchmarks run: a fresh bake with its pinned environment; the measurement itself comes with it.

Every generated service carries the measurements (`tests/faults/resilience/measure_*.py`), so that a team can repeat
them on its own machines. Here they run on a fresh bake, and their raw rounds are kept beside the scripts.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TEMPLATE = HERE.parent
BUILD = TEMPLATE / "build" / "bench-resilience"
PACKAGE = "benched"


def run(measurement: str) -> int:
    """Bakes, measures, adds machine and commit to the rounds; returns the measurement's exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=9, help="an odd number: the median decides")
    parser.add_argument("--python", type=Path, help="an interpreter that has the service's pins already")
    options = parser.parse_args()
    service = bake()
    python = options.python or environment(service / "requirements" / "run.txt")
    result = HERE / f"resilience_{measurement}.json"
    command = [str(python), "-W", "error", "-m", f"tests.faults.resilience.measure_{measurement}"]
    code = subprocess.run(
        [*command, "--rounds", str(options.rounds), "--json", str(result)],
        cwd=service,
        env=os.environ | {"PYTHONPATH": f"src{os.pathsep}."},
        check=False,
    ).returncode
    facts = {
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "python": subprocess.run([str(python), "-V"], capture_output=True, text=True, check=True).stdout.split()[1],
        "commit": revision(),
    }
    result.write_text(json.dumps(facts | json.loads(result.read_text("utf-8")), indent=2) + "\n", "utf-8")
    return code


def bake() -> Path:
    """Returns the folder of a fresh service."""
    BUILD.mkdir(parents=True, exist_ok=True)
    config = BUILD / "cookiecutter.yaml"
    config.write_text(f"cookiecutters_dir: {BUILD}/clones\nreplay_dir: {BUILD}/replay\n", encoding="utf-8")
    shutil.rmtree(BUILD / PACKAGE, ignore_errors=True)
    command = [sys.executable, "-m", "cookiecutter", str(TEMPLATE), "--no-input", "--output-dir", str(BUILD)]
    answers = [f"project_slug={PACKAGE}", f"package_name={PACKAGE}"]
    subprocess.run([*command, "--config-file", str(config), *answers], check=True, stdout=subprocess.DEVNULL)
    return BUILD / PACKAGE


def environment(requirements: Path) -> Path:
    """Returns the interpreter of an environment with exactly these pins; it is kept while they stay the same."""
    folder = BUILD / "venv"
    pins, python = folder / "pins.txt", folder / "bin" / "python"
    if not pins.exists() or pins.read_bytes() != requirements.read_bytes():
        subprocess.run(["sh", str(TEMPLATE / "scripts" / "environment"), str(folder), str(requirements)], check=True)
        shutil.copy(requirements, pins)
    return python


def revision() -> str:
    """Returns the commit that was measured."""
    command = ["git", "-C", str(TEMPLATE), "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
