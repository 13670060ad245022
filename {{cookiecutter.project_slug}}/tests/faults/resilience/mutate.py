"""Lets every trap go wrong, one after another, and sees that its test fails.

`python -m tests.faults.resilience.mutate` copies kit and tests into a temporary folder, changes the kit there, runs the
trap's test, and prints what happened; exits 1 when a test did not notice. `--table` prints the table of README.md.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from {{ cookiecutter.package_name }}.resilience import guard

from .traps import TRAPS, Trap

PROJECT = Path(__file__).parents[3]
KIT = Path(guard.__file__).parent
LIMIT_S = 60


def copy_to(folder: Path) -> Path:
    """Copy what the tests of the kit need, and return the kit's copy."""
    kit = folder / "src" / KIT.parent.name / KIT.name
    shutil.copytree(KIT, kit)
    (kit.parent / "__init__.py").touch()
    for part in ("unit", "faults"):
        shutil.copytree(PROJECT / "tests" / part / "resilience", folder / "tests" / part / "resilience")
        (folder / "tests" / part / "__init__.py").touch()
    (folder / "tests" / "__init__.py").touch()
    shutil.copy(PROJECT / "pyproject.toml", folder)
    return kit


def notices(trap: Trap, folder: Path, kit: Path) -> bool:
    """Return whether the trap's test fails with the trap's mutation."""
    originals = {change.file: (kit / change.file).read_text() for change in trap.changes}
    try:
        for change in trap.changes:
            file = kit / change.file
            text = file.read_text()
            if text.count(change.old) != 1:
                raise ValueError(f"{change.file} does not hold once: {change.old}")
            file.write_text(text.replace(change.old, change.new))
        return not passes(trap.test, folder)
    finally:
        for name, text in originals.items():
            (kit / name).write_text(text)


def passes(test: str, folder: Path) -> bool:
    """Run one test."""
    command = [sys.executable, "-W", "error", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", test]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    if run.returncode not in (0, 1):
        raise RuntimeError(f"{test} could not be run:\n{run.stdout}{run.stderr}")
    return run.returncode == 0


def table() -> str:
    """Return the table of README.md."""
    lines = ["| no. | trap | test | mutation that it notices |", "|---|---|---|---|"]
    for number, trap in enumerate(TRAPS, 1):
        files = ", ".join(f"`{file}`" for file in dict.fromkeys(change.file for change in trap.changes))
        test = trap.test.removeprefix("tests/").replace("::", " ").replace("/resilience/", "/").split(" ")
        lines.append(f"| {number} | {trap.what} | `{test[0]}` `{test[1]}` | {trap.mutation} ({files}) |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("numbers", nargs="*", type=int)
    options = parser.parse_args()
    if options.table:
        print(table(), end="")
        return 0
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kit = copy_to(folder)
        for number, trap in enumerate(TRAPS, 1):
            if options.numbers and number not in options.numbers:
                continue
            noticed = notices(trap, folder, kit)
            missed += not noticed
            print(f"{number:3} {'noticed' if noticed else 'MISSED '} {trap.what}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
