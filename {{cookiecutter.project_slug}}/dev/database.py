"""Verbs for the development database: migrate it, write a migration, throw it away."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from alembic import command
from alembic.script import ScriptDirectory
from alembic.util import CommandError

from {{ cookiecutter.package_name }}.infrastructure.migrate import alembic_configuration, upgrade

from .launcher import DATABASES, database_folder, say, simulator_memory
from .locks import FolderBusyError, locked
from .postgres import embedded_postgresql, running_url, temporary_postgresql
from .postgres_home import data_folder
from .project import ROOT, DevError

MIGRATIONS = ROOT / "migrations"


def migrate() -> None:
    """Bring the development database to the newest migrations, whether a launcher runs it or nobody does."""
    with _started_or_joined(database_folder()) as url:
        upgrade(url, MIGRATIONS)
    say("the development database is up to date")


def write_migration(branch: str, message: str) -> None:
    """Compare the tables with what the migrations make, and write the difference as a revision of `branch`.

    Raises:
        DevError: there is no such branch, or no message.
    """
    if not branch or not message.strip():
        raise DevError('say which branch goes on, and what changes: make migration ON=order M="add total"')
    with temporary_postgresql() as url:
        configuration = alembic_configuration(url, MIGRATIONS)
        branches = _branches(ScriptDirectory.from_config(configuration))
        if branch not in branches:
            raise DevError(f"there is no branch {branch!r}; there are: {', '.join(sorted(branches))}")
        upgrade(url, MIGRATIONS)
        # Alembic writes only to folders that it was told of, and being told to look below one is not enough.
        folders = os.pathsep.join(sorted(str(folder) for folder in set(branches.values())))
        configuration.set_main_option("version_locations", folders.replace("%", "%%"))
        try:
            written = command.revision(
                configuration,
                message=message,
                autogenerate=True,
                head=f"{branch}@head",
                version_path=str(branches[branch]),
            )
        except CommandError as error:
            raise DevError(f"alembic refuses: {error}") from error
    for script in written if isinstance(written, list) else [written]:
        if script:
            _format(Path(script.path))
            say(f"read, correct and commit {Path(script.path).relative_to(ROOT)}")


def reset() -> None:
    """Delete every development database that nobody uses.

    Raises:
        DevError: a launcher uses one.
    """
    for number in range(1, DATABASES + 1):
        folder = database_folder(number)
        if number > 1 and not folder.exists():
            continue
        place = data_folder(folder)
        try:
            with locked(place):
                shutil.rmtree(place)
                simulator_memory(folder).unlink(missing_ok=True)
        except FolderBusyError as error:
            raise DevError(f"process {error.pid} uses {folder.relative_to(ROOT)}: end it first") from None
    say("the development database is gone; `make run` makes a new one")


@contextmanager
def _started_or_joined(folder: Path) -> Iterator[str]:
    with ExitStack() as stack:
        try:
            url = stack.enter_context(embedded_postgresql(folder))
        except FolderBusyError as error:
            joined = running_url(folder)
            if joined is None:
                raise DevError(f"process {error.pid} is starting or ending the database: try again") from None
            url = joined
        yield url


def _branches(scripts: ScriptDirectory) -> dict[str, Path]:
    """Return the folder of every branch by its label."""
    return {
        label: Path(script.path).parent
        for script in scripts.walk_revisions()
        for label in script.branch_labels
        if not script.down_revision
    }


def _format(path: Path) -> None:
    for arguments in (["check", "--fix-only", "--quiet"], ["format", "--quiet"]):
        subprocess.run([sys.executable, "-m", "ruff", *arguments, str(path)], cwd=ROOT, check=True)
