"""The embedded PostgreSQL: keeps its data, leaves nothing behind, and survives what happens to developers."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from dev import postgres
from dev.locks import FolderBusyError
from dev.postgres import embedded_postgresql, running_url, temporary_postgresql
from dev.postgres_home import data_folder
from dev.project import ROOT, DevError
from dev.reaper import alive
from tests.waiting import eventually

HOLD = """
import sys, time
from pathlib import Path
from dev.postgres import embedded_postgresql
with embedded_postgresql(Path(sys.argv[1])) as url:
    print(url, flush=True)
    time.sleep(600)
"""

HOLD_TEMPORARY = """
import time
from dev.postgres import temporary_postgresql
with temporary_postgresql() as url:
    print(url, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder for data, and nothing of it left afterwards."""
    yield tmp_path / "postgresql"
    subprocess.run(["rm", "-rf", str(data_folder(tmp_path / "postgresql"))], check=True)


def socket_of(url: str) -> str:
    (host,) = parse_qs(urlsplit(url).query)["host"]
    return host


async def ask(url: str, question: str) -> object:
    connection = await asyncpg.connect(host=socket_of(url), port=5432, user="postgres", database="postgres")
    try:
        return await connection.fetchval(question)
    finally:
        await connection.close()


def server_pid(folder: Path) -> int:
    return int((data_folder(folder) / "data" / "postmaster.pid").read_text().splitlines()[0])


async def gone(pid: int) -> None:
    async def is_alive() -> bool:
        return alive(pid)

    await eventually(is_alive, lambda seen: not seen)


def holder(folder: Path) -> "subprocess.Popen[bytes]":
    """Start a process that owns a server on `folder`, and wait until the server answers."""
    return started(HOLD, str(folder))[0]


def started(program: str, *arguments: str) -> tuple["subprocess.Popen[bytes]", str]:
    """Start a process that owns a server; returns it and the server's URL."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments], cwd=ROOT, stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout
    with process.stdout:
        url = process.stdout.readline().decode().strip()
    assert url
    return process, url


def kill_with_reaper(owner: "subprocess.Popen[bytes]", server: int) -> None:
    """Kill an owner and everything of it but its server."""
    for child in children(owner.pid):
        if child != server:
            os.kill(child, signal.SIGKILL)
    owner.kill()
    owner.wait()


async def test_data_survive_a_restart(folder: Path) -> None:
    with embedded_postgresql(folder) as url:
        await ask(url, "CREATE TABLE kept AS SELECT 42 AS answer")

    with embedded_postgresql(folder) as url:
        assert await ask(url, "SELECT answer FROM kept") == 42


async def test_it_stops_with_its_owner(folder: Path) -> None:
    with embedded_postgresql(folder):
        pid = server_pid(folder)

    assert not alive(pid)
    assert running_url(folder) is None


async def test_it_takes_many_connections_in_utc_and_utf8(folder: Path) -> None:
    with embedded_postgresql(folder) as url:
        assert await ask(url, "SELECT current_setting('max_connections')::int") == postgres.MAX_CONNECTIONS
        assert await ask(url, "SELECT current_setting('TimeZone')") == "UTC"
        assert await ask(url, "SELECT upper('ж') = 'Ж'") is True


async def test_a_temporary_one_leaves_no_folder() -> None:
    with temporary_postgresql() as url:
        place = Path(socket_of(url)).parent
        assert await ask(url, "SELECT 1") == 1

    assert not present(place)


async def test_a_temporary_one_whose_owner_and_reaper_were_killed_is_removed_by_the_next() -> None:
    owner, url = started(HOLD_TEMPORARY)
    place = Path(socket_of(url)).parent
    pid = int((place / "data" / "postmaster.pid").read_text().splitlines()[0])
    kill_with_reaper(owner, pid)
    assert alive(pid)

    with temporary_postgresql():
        assert not alive(pid)
        assert not present(place)


async def test_a_temporary_one_that_is_in_use_is_left_alone() -> None:
    with temporary_postgresql() as url, temporary_postgresql():
        assert await ask(url, "SELECT 1") == 1


async def test_a_second_owner_is_told_who_has_it(folder: Path) -> None:
    with embedded_postgresql(folder) as url:
        with pytest.raises(FolderBusyError) as error, embedded_postgresql(folder):
            pass

        assert error.value.pid == os.getpid()
        assert running_url(folder) == url


async def test_a_killed_owner_leaves_no_server_and_the_next_starts(folder: Path) -> None:
    owner = holder(folder)
    pid = server_pid(folder)

    owner.kill()
    owner.wait()

    await gone(pid)
    with embedded_postgresql(folder) as url:
        assert await ask(url, "SELECT 1") == 1


async def test_a_server_whose_owner_and_reaper_were_killed_is_stopped_by_the_next(folder: Path) -> None:
    owner = holder(folder)
    pid = server_pid(folder)
    kill_with_reaper(owner, pid)
    assert alive(pid)

    with embedded_postgresql(folder) as url:
        assert await ask(url, "SELECT 1") == 1
        assert server_pid(folder) != pid

    assert not alive(pid)


async def test_a_stale_pid_file_with_a_strangers_number_is_no_obstacle(folder: Path) -> None:
    with embedded_postgresql(folder):
        pass
    stale = data_folder(folder) / "data" / "postmaster.pid"
    stale.write_text(f"{os.getpid()}\n{stale.parent}\n0\n5432\n{stale.parent}\n\n\nready   \n")

    with embedded_postgresql(folder) as url:
        assert await ask(url, "SELECT 1") == 1

    assert alive(os.getpid())


async def test_an_interrupted_initialisation_is_begun_again(folder: Path) -> None:
    unfinished = data_folder(folder) / "data.unfinished"
    unfinished.mkdir()
    (unfinished / "PG_VERSION").write_text("18\n")

    with embedded_postgresql(folder) as url:
        assert await ask(url, "SELECT 1") == 1


async def test_data_of_another_version_are_refused_in_one_line(folder: Path) -> None:
    data = data_folder(folder) / "data"
    data.mkdir()
    (data / "PG_VERSION").write_text("16\n")

    with pytest.raises(DevError, match=r"was made by PostgreSQL 16, .*`make reset-db`"), embedded_postgresql(folder):
        pass


@pytest.mark.skipif(os.geteuid() == 0, reason="root's folder is short whatever the project's is")
async def test_a_long_path_moves_the_socket_and_leaves_nothing(tmp_path: Path) -> None:
    with embedded_postgresql(tmp_path / ("long" * 20)) as url:
        socket = Path(socket_of(url))
        assert await ask(url, "SELECT 1") == 1
        assert not socket.is_relative_to(tmp_path)

    assert not present(socket)


async def test_no_folders_permissions_change(folder: Path) -> None:
    before = modes(folder)

    with embedded_postgresql(folder):
        pass

    assert modes(folder) == before


def present(path: Path) -> bool:
    return path.exists()


def modes(folder: Path) -> list[int]:
    watched = [ROOT, *ROOT.parents, *folder.parents, Path(sys.executable).parent, Path.home()]
    return [path.stat().st_mode for path in watched if path.exists()]


def children(pid: int) -> list[int]:
    shown = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = (line.split() for line in shown.splitlines())
    return [int(child) for child, parent in pairs if int(parent) == pid]
