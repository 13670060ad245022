"""A real PostgreSQL from a Python package: nothing to install, no port, gone when its owner is gone.

It listens on a socket in its folder only. A server that an earlier owner left running is found and stopped, and data
that nobody can want any more are deleted by whoever starts next.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from . import postgres_home as home
from .locks import FolderBusyError, locked
from .processes import Child, Processes
from .project import DevError
from .reaper import alive, end

MAX_CONNECTIONS = 200
"""A service opens up to 20; tests run several at once, and the default of 100 ends in "too many clients"."""

START_LIMIT_S = 60.0
"""Recovery after a crash takes seconds on a slow disk; the start itself takes half of one."""

PAUSE_S = 0.02
SETTINGS = {
    "listen_addresses": "",
    "port": "5432",
    "max_connections": str(MAX_CONNECTIONS),
    "timezone": "UTC",
    "log_timezone": "UTC",
}
FORGETFUL = {"fsync": "off", "full_page_writes": "off"}
"""For data that nobody needs after a power failure. A killed server still loses nothing."""


@contextmanager
def embedded_postgresql(folder: Path, **settings: str) -> Iterator[str]:
    """Run PostgreSQL on the data of `folder` and yield the database's URL; at the end the server is stopped.

    Root's data lies in the temp directory, keyed by `folder` (see `postgres_home`).

    Args:
        settings: PostgreSQL's own, by name.

    Raises:
        FolderBusyError: another process runs a server there.
        DevError: there is no PostgreSQL here, or it does not start on this data.
    """
    _remove_orphans()
    place = home.data_folder(folder)
    with locked(place) as lock, Processes(keep_open=[lock]) as processes:
        _stop_leftover(place / "data")
        yield from _serve(place, processes, settings)


@contextmanager
def temporary_postgresql(**settings: str) -> Iterator[str]:
    """Run a PostgreSQL on a new folder, yield the database's URL, delete the folder at the end."""
    _remove_orphans()
    place = home.temporary_folder()
    with locked(place) as lock, Processes(keep_open=[lock]) as processes:
        home.mark_temporary(place)
        processes.remove_at_end(place)
        yield from _serve(place, processes, {**FORGETFUL, **settings})


def running_url(folder: Path) -> str | None:
    """Return the URL of the server that some process runs on `folder`, or None."""
    pid_file = home.data_folder(folder) / "data" / "postmaster.pid"
    pid, socket = _postmaster(pid_file)
    return _url(Path(socket)) if pid and alive(pid) and socket else None


def _serve(place: Path, processes: Processes, settings: Mapping[str, str]) -> Iterator[str]:
    programs, data = home.programs(), place / "data"
    if not data.exists():
        _initialise(programs, place, durable="fsync" not in settings)
    made_by = (data / "PG_VERSION").read_text().strip()
    if made_by != programs.major:
        raise DevError(
            f"{data} was made by PostgreSQL {made_by}, this is {programs.major}: `make reset-db` starts afresh"
        )
    socket = home.socket_folder(data)
    if socket is None:
        socket = home.temporary_folder()
        home.give(socket, home.account())
        processes.remove_at_end(socket)
    options = {**SETTINGS, **settings, "unix_socket_directories": str(socket)}
    with (place / "log").open("wb") as log:
        child = processes.start(
            "postgresql",
            [programs.path("postgres"), "-D", str(data), *(f"--{name}={value}" for name, value in options.items())],
            environment=_environment(),
            cwd=place,
            stop_signal=signal.SIGINT,  # "fast": sessions are ended, a checkpoint is written
            killed_by=signal.SIGINT,
            stdout=log,
            stderr=subprocess.STDOUT,
            account=home.account(),
        )
    _wait_until_ready(child, data / "postmaster.pid", place / "log")
    yield _url(socket)


def _initialise(programs: home.Programs, place: Path, *, durable: bool) -> None:
    """Make the data, and show them under their name only when they are whole."""
    unfinished, account = place / "data.unfinished", home.account()
    shutil.rmtree(unfinished, ignore_errors=True)  # a killed run may have left it
    unfinished.mkdir(mode=0o700)
    home.give(unfinished, account)
    done = subprocess.run(
        [
            programs.path("initdb"),
            f"--pgdata={unfinished}",
            "--username=postgres",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            *([] if durable else ["--no-sync"]),
        ],
        env=_environment(),
        cwd=place,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )
    if done.returncode:
        raise DevError(f"initdb failed: {done.stderr.strip() or done.stdout.strip()}")
    unfinished.rename(place / "data")


def _wait_until_ready(child: Child, pid_file: Path, log: Path) -> None:
    give_up = time.monotonic() + START_LIMIT_S
    while child.process.poll() is None and time.monotonic() < give_up:
        lines = _lines(pid_file)
        if len(lines) > 7 and lines[0] == str(child.process.pid) and lines[7].strip() == "ready":
            return
        time.sleep(PAUSE_S)
    raise DevError(f"PostgreSQL does not start; its log ({log}) ends:\n{log.read_text(errors='replace')[-2000:]}")


def _stop_leftover(data: Path) -> None:
    """Stop the server of an owner that was killed together with its reaper."""
    pid_file = data / "postmaster.pid"
    pid, _ = _postmaster(pid_file)
    if not pid:
        return
    if alive(pid) and str(data) in _command(pid):
        end([(pid, signal.SIGINT)])
    else:
        pid_file.unlink(missing_ok=True)  # its number may belong to a stranger by now, and PostgreSQL would refuse


def _remove_orphans() -> None:
    """Delete data in the temp directory that their project or their owner left behind, unless somebody uses them."""
    for place in home.orphans():
        with suppress(FolderBusyError, FileNotFoundError), locked(place, patience_s=0):
            _stop_leftover(place / "data")
            shutil.rmtree(place, ignore_errors=True)


def _command(pid: int) -> str:
    """Return the command line of a process; slim images have no `ps`, macOS no `/proc`."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except FileNotFoundError:
        pass
    shown = subprocess.run(["ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return shown.stdout


def _postmaster(pid_file: Path) -> tuple[int | None, str | None]:
    """Return number and socket folder of the server that wrote the file."""
    lines = _lines(pid_file)
    pid = int(lines[0]) if lines and lines[0].isdigit() else None
    return pid, lines[4].strip() if len(lines) > 4 else None


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except FileNotFoundError:
        return []


def _environment() -> dict[str, str]:
    """Return our environment without the variables that PostgreSQL's programs read."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}


def _url(socket: Path) -> str:
    return f"postgresql+asyncpg://postgres@/postgres?host={quote(str(socket), safe='/')}"
