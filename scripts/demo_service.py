"""Bakes a service and runs it as its own `make run` does, on free ports."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

TEMPLATE = Path(__file__).resolve().parents[1]
HOST = "127.0.0.1"
REQUEST_TIMEOUT_S = 30.0
START_LIMIT_S = 600.0  # with pip and cold caches the installation alone takes minutes
STOP_LIMIT_S = 60.0
LOOK_PAUSE_S = 0.2
TOLD_EVERY_S = 5.0
LOG_TAIL = 30
NOT_FOR_THE_SERVICE = (
    "CLIENT_",
    "DATABASE_",
    "HTTP__",
    "POLLING__",
    "PG",
    "MAKE",
    "MFLAGS",
    "VIRTUAL_ENV",
    "PYTHONPATH",
)


class BrokenDemoError(Exception):
    """The demo cannot go on; the message says why."""


@dataclass(frozen=True, slots=True)
class Service:
    """Where the parts of the running service listen."""

    api: int
    management: int
    simulator: int


def bake(folder: Path) -> Path:
    """Renders the default answers below `folder`, whatever the user's own defaults are; returns the project."""
    config = folder / "cookiecutter.yaml"
    config.write_text(f"cookiecutters_dir: {folder}/clones\nreplay_dir: {folder}/replay\n", encoding="utf-8")
    command = [sys.executable, "-m", "cookiecutter", str(TEMPLATE), "--no-input", "--config-file", str(config)]
    done = subprocess.run([*command, "--output-dir", str(folder)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BrokenDemoError(f"baking failed:\n{done.stdout}{done.stderr}")
    (project,) = [path.parent for path in folder.glob("*/pyproject.toml")]
    return project


def request(port: int, method: str, path: str, body: object = None, key: str = "") -> tuple[int, Any]:
    """Sends one request; returns status and parsed body, and status 0 where nobody answered."""
    headers = {"Content-Type": "application/json", **({"Idempotency-Key": key} if key else {})}
    connection = HTTPConnection(HOST, port, timeout=REQUEST_TIMEOUT_S)
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read() or b"null")
    except (OSError, HTTPException, ValueError):
        return 0, None
    finally:
        connection.close()


@contextmanager
def running(project: Path, log: Path, say: Callable[[str], None]) -> Iterator[Service]:
    """Runs `make run` until it is ready, and ends it and everything that it started."""
    service = Service(*_free_ports(3))
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(NOT_FOR_THE_SERVICE)},
        "HTTP__PORT": str(service.api),
        "HTTP__MANAGEMENT_PORT": str(service.management),
        "SIMULATOR_PORT": str(service.simulator),
        "PYTHON": sys.executable,
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            ["make", "--no-print-directory", "run"],
            cwd=project,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait_until_ready(process, service, log, say)
        yield service
        if process.poll() is not None:
            raise BrokenDemoError(f"the service ended on the way; {_tail(log)}")
    finally:
        _end(process)


def _wait_until_ready(
    process: "subprocess.Popen[bytes]", service: Service, log: Path, say: Callable[[str], None]
) -> None:
    begin = told = time.monotonic()
    while request(service.management, "GET", "/health/ready")[0] != 200:
        now = time.monotonic()
        if process.poll() is not None or now - begin > START_LIMIT_S:
            raise BrokenDemoError(f"the service does not start; {_tail(log)}")
        if now - told > TOLD_EVERY_S:
            say(f"  installing and starting ... {now - begin:.0f} s ({_last_line(log)})")
            told = now
        time.sleep(LOOK_PAUSE_S)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Does what Ctrl-C does, and worse to whoever does not listen."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOP_LIMIT_S)


def _free_ports(count: int) -> list[int]:
    listeners = [socket.create_server((HOST, 0)) for _ in range(count)]
    ports = [int(listener.getsockname()[1]) for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports


def _tail(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_TAIL:]
    return "\n".join([f"{log} ends:", *lines])


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    return next((line[:80] for line in reversed(lines) if line.strip()), "")
