"""`make run`: embedded PostgreSQL, the simulated systems and the service, started in order and ended in order."""

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

from .environment import developers_environment, replaced_addresses, service_environment
from .first_request import creating_route, get
from .locks import FolderBusyError
from .ports import LOOPBACK, Ports, choose_ports
from .postgres import embedded_postgresql
from .processes import Child, Processes
from .project import PACKAGE, ROOT, WORK, DevError
from .simulator.process import start_simulator

SERVICE_GRACE_S = 60.0
"""Longer than the service's own drain; a second Ctrl-C makes it end at once."""

READY_LIMIT_S = 60.0
PAUSE_S = 0.05
BODY = '{"payload": {"amount": 100}}'
DATABASES = 10
"""Launchers of one project that can run side by side, each on a database of its own."""


class StopError(Exception):
    """A signal asked us to end before the service ran."""


class Signals:
    """Turns SIGINT, SIGTERM and SIGHUP into an exception during the start, and later into a forwarded SIGTERM."""

    def __init__(self) -> None:
        self._service: Child | None = None
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def forward_to(self, service: Child) -> None:
        """From now on the service decides when it is time to end."""
        self._service = service

    def ignore(self) -> None:
        """From now on everything is being ended anyway."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self._service is None:
            raise StopError
        if self._service.process.poll() is None:
            self._service.process.send_signal(signal.SIGTERM)


def run() -> int:
    """Run everything until a signal comes or a part ends; returns the exit code.

    Raises:
        DevError: something cannot start.
    """
    signals = Signals()
    try:
        given = developers_environment()
        ports = choose_ports(given)
        with development_database() as (database_url, folder), Processes() as processes:
            for name in replaced_addresses(given):
                say(f"{name} of your environment is not used here: the launcher sets its own")
            say("migrations and simulator ...")
            migration = start_migration(processes, service_environment(given, database_url, ""))
            simulator, simulator_url = start_simulator(processes, ports.simulator, simulator_memory(folder))
            if code := processes.ended(migration):
                raise DevError(f"the migrations failed with exit code {code}")
            environment = {
                **service_environment(given, database_url, simulator_url),
                "HTTP__PORT": str(ports.api),
                "HTTP__MANAGEMENT_PORT": str(ports.management),
            }
            service = processes.start(
                "service",
                [sys.executable, "-m", PACKAGE],
                environment=environment,
                cwd=ROOT,
                grace_s=SERVICE_GRACE_S,
            )
            signals.forward_to(service)
            code = _until_the_end(processes, service, simulator, environment, ports)
            signals.ignore()
            return code
    except StopError:
        signals.ignore()
        return 128 + signal.SIGINT


@contextmanager
def development_database() -> Iterator[tuple[str, Path]]:
    """Run this project's development database; yields its URL and its folder. A second launcher gets one of its own."""
    with ExitStack() as stack:
        for number in range(1, DATABASES + 1):
            folder = database_folder(number)
            try:
                url = stack.enter_context(embedded_postgresql(folder))
            except FolderBusyError as error:
                say(f"process {error.pid} uses the database in {folder.relative_to(ROOT)}: taking the next")
                continue
            say(f"PostgreSQL runs, its data are those of {folder.relative_to(ROOT)}")
            yield url, folder
            return
    raise DevError(f"{DATABASES} launchers of this project are running: end some of them")


def database_folder(number: int = 1) -> Path:
    """Return the folder of a development database; the first is the usual one."""
    return WORK / ("postgresql" if number == 1 else f"postgresql-{number}")


def simulator_memory(folder: Path) -> Path:
    """Return where the simulator keeps what belongs to the tasks in a database: beside it."""
    return folder.with_name(f"{folder.name}.operations")


def start_migration(processes: Processes, environment: Mapping[str, str]) -> Child:
    """Begin to bring the database to the newest migrations."""
    return processes.start("migrate", [sys.executable, "-m", PACKAGE, "migrate"], environment=environment, cwd=ROOT)


def _until_the_end(
    processes: Processes, service: Child, simulator: Child, environment: Mapping[str, str], ports: Ports
) -> int:
    parent, told = os.getppid(), False
    give_up = time.monotonic() + READY_LIMIT_S
    while service.process.poll() is None:
        if not told and (_ready(environment, ports) or time.monotonic() > give_up):
            say(_banner(environment, ports))
            told = True
        if simulator.process.poll() is not None:
            raise DevError(f"the simulator ended with exit code {processes.ended(simulator)}")
        if "MAKELEVEL" in environment and os.getppid() != parent:
            processes.stop(service)  # make was killed; nobody will press Ctrl-C for us
        time.sleep(PAUSE_S)
    code = processes.ended(service)
    if code == -signal.SIGTERM:
        code = 0  # told to end before it could listen to signals
    say("the service has ended" if code == 0 else f"the service ended with exit code {code}")
    return code if code >= 0 else 128 - code


def _ready(environment: Mapping[str, str], ports: Ports) -> bool:
    status, _ = get(environment.get("HTTP__MANAGEMENT_HOST") or LOOPBACK, ports.management, "/health/ready")
    return status == 200


def _banner(environment: Mapping[str, str], ports: Ports) -> str:
    api, management = f"http://{LOOPBACK}:{ports.api}", f"http://{LOOPBACK}:{ports.management}"
    route = creating_route(environment.get("HTTP__HOST") or LOOPBACK, ports.api)
    first = f"{api}{route} -H 'Content-Type: application/json' -d '{BODY}'" if route else f"{management}/health/ready"
    return "\n".join(
        [
            f"{ROOT.name} runs; Ctrl-C ends all of it",
            f"  API         {api} (routes: {api}/docs)",
            f"  management  {management}/health/ready, /metrics, /info",
            f"  simulator   http://{LOOPBACK}:{ports.simulator}/_simulator/<system>",
            f"  database    {environment['DATABASE_URL']}",
            f"  try         curl -i {first}",
        ]
    )


def say(text: str) -> None:
    """Tell the developer something, beside the service's own log lines on standard output."""
    print(f"dev: {text}", file=sys.stderr, flush=True)
