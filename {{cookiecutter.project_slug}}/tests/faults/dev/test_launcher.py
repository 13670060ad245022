"""`python -m dev run` as a process: what it starts it ends, and what ends it does not keep the next from starting."""

import asyncio
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from dev.environment import scrubbed_environment
from dev.project import systems
from dev.reaper import alive
from tests.waiting import eventually

START_LIMIT_S = 90.0
"""Migrations and service import half a gigabyte of nothing much on a busy machine."""

FREE = {"HTTP__PORT": "0", "HTTP__MANAGEMENT_PORT": "0", "SIMULATOR_PORT": "0"}


@dataclass(frozen=True, slots=True)
class Launched:
    """A running launcher and what it printed when all was up."""

    process: asyncio.subprocess.Process
    banner: str

    def address(self, part: str) -> str:
        """Return where a part listens."""
        found = re.search(rf"{part} +(http://[\d.:]+)", self.banner)
        assert found, self.banner
        return found.group(1)

    async def family(self) -> list[int]:
        """Return the numbers of all processes below the launcher."""
        return await descendants(self.process.pid)

    async def end(self, number: int) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        async with asyncio.timeout(START_LIMIT_S):
            return await self.process.wait()


async def spawn(project: Path, **settings: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "dev",
        "run",
        cwd=project,
        env={**scrubbed_environment(), "PYTHONPATH": str(project / "src"), **FREE, **settings},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )


@asynccontextmanager
async def launched(project: Path, **settings: str) -> AsyncIterator[Launched]:
    """Run the launcher until everything is up; nothing is left running, whatever happens."""
    process = await spawn(project, **settings)
    try:
        assert process.stderr
        lines: list[str] = []
        async with asyncio.timeout(START_LIMIT_S):
            while not (lines and " try " in lines[-1]):
                line = (await process.stderr.readline()).decode()
                assert line, "".join(lines)
                lines.append(line)
        yield Launched(process, "".join(lines))
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def descendants(pid: int) -> list[int]:
    shown = await asyncio.create_subprocess_exec("ps", "-A", "-o", "pid=,ppid=", stdout=asyncio.subprocess.PIPE)
    output, _ = await shown.communicate()
    parents = {int(child): int(parent) for child, parent in (line.split() for line in output.decode().splitlines())}
    found, queue = [], [pid]
    while queue:
        parent = queue.pop()
        below = [child for child, of in parents.items() if of == parent and child != shown.pid]
        found += below
        queue += below
    return found


async def all_gone(pids: list[int]) -> None:
    async def left() -> list[int]:
        return [pid for pid in pids if alive(pid)]

    await eventually(left, lambda left: not left)


async def test_it_runs_everything_until_ctrl_c_and_uses_no_address_of_the_developer(project: Path) -> None:
    (project / ".env").write_text("DATABASE_URL=postgresql+asyncpg://real@production.invalid/orders\n")
    async with launched(project) as launcher, httpx.AsyncClient() as client:
        ready = await client.get(f"{launcher.address('management')}/health/ready")
        simulated = await client.get(f"{launcher.address('simulator')}/_simulator/{systems()[0]}")
        first = re.search(r"try +curl -i (\S+)", launcher.banner)
        assert first
        url = first.group(1)
        answer = await (client.get(url) if "/health/" in url else client.post(url, json={"payload": {"amount": 100}}))
        family = await launcher.family()

        assert (ready.status_code, simulated.status_code) == (200, 200)
        assert answer.status_code in {200, 202}
        assert "DATABASE_URL of your environment is not used here" in launcher.banner
        assert len(family) >= 5
        assert await launcher.end(signal.SIGINT) == 0

    await all_gone(family)


async def test_a_killed_launcher_leaves_nothing_and_the_next_starts_on_the_same_ports(project: Path) -> None:
    ports = {name: str(port) for name, port in zip(FREE, free_ports(3), strict=True)}
    async with launched(project, **ports) as launcher:
        family = await launcher.family()
        await launcher.end(signal.SIGKILL)

        async with launched(project, **ports) as next_one:
            assert next_one.address("API") == launcher.address("API")
            assert await next_one.end(signal.SIGINT) == 0

    await all_gone(family)


async def test_two_launchers_of_one_project_do_not_meet(project: Path) -> None:
    async with launched(project) as one, launched(project) as other, httpx.AsyncClient() as client:
        family = await one.family() + await other.family()
        assert one.address("API") != other.address("API")
        assert re.findall("host=.*", one.banner) != re.findall("host=.*", other.banner)

        assert await one.end(signal.SIGTERM) == 0
        assert (await client.get(f"{other.address('management')}/health/ready")).status_code == 200
        assert await other.end(signal.SIGHUP) == 0

    await all_gone(family)


async def test_an_operation_outlives_everything_being_killed(project: Path) -> None:
    """A task that waits for its result is not told, after the restart, that there is no such operation."""
    path = f"/{systems()[0]}/operations"
    async with launched(project) as before, httpx.AsyncClient(base_url=before.address("simulator")) as system:
        order = {"reference": "task:1", "payload": {}}
        operation = (await system.post(path, json=order, headers={"Idempotency-Key": "one"})).json()["id"]
        await before.end(signal.SIGKILL)

    async with launched(project) as after, httpx.AsyncClient(base_url=after.address("simulator")) as system:
        again = (await system.post(path, json=order, headers={"Idempotency-Key": "one"})).json()["id"]
        answer = await system.get(f"{path}/{operation}")

    assert again == operation
    assert answer.status_code == 200


async def test_a_taken_port_is_one_line_and_nothing_starts(project: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = await spawn(project, HTTP__PORT=str(taken.getsockname()[1]))
        _, errors = await process.communicate()

    assert process.returncode == 1
    assert len(errors.decode().splitlines()) == 1
    assert b"HTTP__PORT" in errors


async def test_a_service_that_cannot_start_ends_the_launcher(project: Path) -> None:
    process = await spawn(project, POLLING__LEASE="-1")
    _, errors = await process.communicate()

    assert process.returncode == 1
    assert b"POLLING__LEASE" in errors


def free_ports(count: int) -> list[int]:
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [listener.getsockname()[1] for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports
