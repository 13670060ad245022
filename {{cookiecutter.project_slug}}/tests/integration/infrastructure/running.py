"""The service as a real process, on free ports."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "{{ cookiecutter.package_name }}"
OURS = ("CLIENT_", "POLLING__", "DATABASE", "HTTP__", "ROLE", "LOG_LEVEL")
START_LIMIT_S = 30.0
"""Imports alone take seconds on a busy machine."""


@dataclass(frozen=True, slots=True)
class RunningService:
    """A started process and where it listens."""

    process: asyncio.subprocess.Process
    public: str
    management: str

    async def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return await self.wait()

    async def wait(self) -> int:
        """Return the exit code once the process has ended."""
        async with asyncio.timeout(START_LIMIT_S):
            return await self.process.wait()


def clean_environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Return this environment without any of the service's variables, plus `settings`."""
    rest = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    search_path = os.pathsep.join(str(Path(entry).resolve()) for entry in sys.path)
    return {**rest, "PYTHONPATH": search_path, "HTTP__PORT": "0", "HTTP__MANAGEMENT_PORT": "0", **settings}


async def spawn(settings: Mapping[str, str], *arguments: str) -> asyncio.subprocess.Process:
    """Start `python -m <package>` with exactly `settings`."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-W",
        "error",
        "-m",
        PACKAGE,
        *arguments,
        cwd=Path(__file__).parent,  # the service would read the developer's `.env` in the project's folder
        env=clean_environment(settings),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def output(process: asyncio.subprocess.Process) -> tuple[int, str]:
    """Return exit code and standard error of a process that ends by itself."""
    async with asyncio.timeout(START_LIMIT_S):
        _, errors = await process.communicate()
    return process.returncode or 0, errors.decode()


@asynccontextmanager
async def running(settings: Mapping[str, str]) -> AsyncIterator[RunningService]:
    """Run the service; whatever happens, nothing is left running."""
    process = await spawn(settings)
    try:
        async with asyncio.timeout(START_LIMIT_S):
            started = await _started(process)
        drained = asyncio.create_task(_drain(process))
        yield RunningService(
            process,
            f"http://127.0.0.1:{started['port']}",
            f"http://127.0.0.1:{started['management_port']}",
        )
        drained.cancel()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _started(process: asyncio.subprocess.Process) -> dict[str, object]:
    assert process.stdout
    async for line in process.stdout:
        record: dict[str, object] = json.loads(line)
        if record["event"] == "process.started":
            return record
    assert process.stderr
    raise AssertionError((await process.stderr.read()).decode())


async def _drain(process: asyncio.subprocess.Process) -> None:
    """Read on, or a full pipe would stop the service."""
    assert process.stdout
    async for _ in process.stdout:
        pass
