"""Starts a generated service as real processes, as `make run` does, and talks to it over its ports."""

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from baking import Project, clean_environment
from hook_modules import TEMPLATE

START_S = 90  # a noisy machine with two cores; a quiet one needs less than ten seconds
STOP_S = 60  # the service's own grace period is shorter


@dataclass(frozen=True)
class Answer:
    """An HTTP answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Running:
    """A running service."""

    port: int
    management_port: int
    log: Path

    def public(self, path: str, document: object = None) -> Answer:
        """Asks the public port."""
        return ask(self.port, path, document)

    def management(self, path: str) -> Answer:
        """Asks the management port."""
        return ask(self.management_port, path)


def ask(port: int, path: str, document: object = None) -> Answer:
    """Sends one request to loopback: POST where there is a document, else GET."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        if document is None:
            connection.request("GET", path)
        else:
            connection.request("POST", path, json.dumps(document), {"Content-Type": "application/json"})
        response = connection.getresponse()
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
    finally:
        connection.close()


def free_ports(count: int) -> list[int]:
    """Returns ports that were free a moment ago."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [opened.getsockname()[1] for opened in sockets]
    for opened in sockets:
        opened.close()
    return ports


@contextmanager
def booted(project: Project, python: Path, folder: Path) -> Iterator[Running]:
    """Runs the launcher with warnings as errors, waits until the service is ready, and ends it as Ctrl-C does."""
    public, management, simulator = free_ports(3)
    running = Running(public, management, folder / "service.log")
    variables = {
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(project.root / "src"), str(project.root)]),
        "PYTHONWARNINGS": "error",
        "PYTHONPYCACHEPREFIX": str(TEMPLATE / "build" / "pycache"),  # compiled once for all services
        "HTTP__PORT": str(public),
        "HTTP__MANAGEMENT_PORT": str(management),
        "SIMULATOR_PORT": str(simulator),
    }
    with running.log.open("wb") as log:
        process = subprocess.Popen(
            [str(python), "-m", "dev", "run"],
            cwd=project.root,
            env=clean_environment() | variables,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        wait_until_ready(running, process)
        yield running
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(STOP_S)
            raise AssertionError(f"did not end within {STOP_S} s of Ctrl-C\n{end_of(running.log)}") from None
    assert process.returncode == 0, f"Ctrl-C is no failure, exit code {process.returncode}\n{end_of(running.log)}"
    project.run(python, "-m", "dev", "reset-db", variables=variables)
    for port in (public, management, simulator):
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", port)), f"something still listens on {port}"


def wait_until_ready(running: Running, process: subprocess.Popen[bytes]) -> None:
    """Polls readiness; fails with the log when the process ends or takes too long."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        assert process.poll() is None, f"ended with {process.returncode}\n{end_of(running.log)}"
        try:
            if running.management("/health/ready").status == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError(f"not ready after {START_S} s\n{end_of(running.log)}")


def end_of(log: Path) -> str:
    """Returns the end of a log."""
    return log.read_text(encoding="utf-8", errors="replace")[-6000:]


def wait_for_task(running: Running, location: str, task: str, timeout_s: float = 30) -> dict[str, Any]:
    """Returns the task's view once it has ended."""
    deadline = time.monotonic() + timeout_s
    while True:
        view: dict[str, Any] = running.public(location).json()["tasks"][task]
        if view["status"] in ("COMPLETED", "FAILED", "CANCELLED"):
            return view
        assert time.monotonic() < deadline, f"{view}\n{end_of(running.log)}"
        time.sleep(0.1)
