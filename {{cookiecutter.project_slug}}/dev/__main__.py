"""`python -m dev VERB`: what the Makefile calls after it has set up the virtual environment."""

import argparse
import subprocess
import sys

from .environment import scrubbed_environment
from .project import ROOT, DevError


def main() -> int:
    """Run one verb; returns the exit code. What a developer can repair is told in one line."""
    parser = argparse.ArgumentParser(prog="python -m dev", description="Verbs of the development folder.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("run", help="PostgreSQL, simulated systems and the service, until Ctrl-C")
    verbs.add_parser("test", help="pytest, without the developer's settings; takes its arguments", add_help=False)
    verbs.add_parser("migrate", help="bring the development database to the newest migrations")
    migration = verbs.add_parser("migration", help="write a migration from the changed tables")
    migration.add_argument("branch")
    migration.add_argument("message")
    verbs.add_parser("reset-db", help="delete the development database")
    given, rest = parser.parse_known_args()
    if rest and given.verb != "test":
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        match given.verb:
            case "run":
                from .launcher import run

                return run()
            case "test":
                return _test(rest)
            case "migrate":
                from .database import migrate

                migrate()
            case "migration":
                from .database import write_migration

                write_migration(given.branch, given.message)
            case "reset-db":
                from .database import reset

                reset()
    except DevError as error:
        print(f"dev: {error}", file=sys.stderr)
        return 1
    return 0


def _test(arguments: list[str]) -> int:
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=ROOT, env=scrubbed_environment(), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
