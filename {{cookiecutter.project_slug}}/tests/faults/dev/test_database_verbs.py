"""`python -m dev migration` and its like, as processes in a copy of the project."""

import subprocess
import sys
from pathlib import Path

from dev.environment import scrubbed_environment

LIMIT_S = 120.0


def dev(project: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "dev", *arguments],
        cwd=project,
        env={**scrubbed_environment(), "PYTHONPATH": str(project / "src")},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def test_a_migration_continues_its_branch_in_the_branchs_folder(project: Path) -> None:
    folder = project / "migrations" / "versions" / "polling"
    before = set(folder.glob("*.py"))

    done = dev(project, "migration", "polling", "say more")

    (written,) = set(folder.glob("*.py")) - before
    assert done.returncode == 0, done.stderr
    assert written.name.endswith("_say_more.py")
    assert str(written.relative_to(project)) in done.stderr
    assert (
        subprocess.run([sys.executable, "-m", "ruff", "format", "--check", str(written)], check=False).returncode == 0
    )


def test_an_unknown_branch_is_one_line_that_lists_the_known(project: Path) -> None:
    done = dev(project, "migration", "nothing", "say more")

    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "there is no branch 'nothing'; there are: " in done.stderr


def test_a_migration_without_a_message_is_one_line(project: Path) -> None:
    done = dev(project, "migration", "polling", " ")

    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "make migration ON=order" in done.stderr


def test_the_development_database_is_migrated_and_deleted(project: Path) -> None:
    migrated, reset = dev(project, "migrate"), dev(project, "reset-db")

    assert (migrated.returncode, reset.returncode) == (0, 0), migrated.stderr + reset.stderr
