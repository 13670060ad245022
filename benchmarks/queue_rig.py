"""Where the queue benchmarks run: a fresh bake, its pinned environment, its PostgreSQL, one database per round.

`enter` starts the calling script again in an environment that holds the baked service and the queues it is compared
with; everything after it may import both. Every measurement is a process of its own on a database of its own.
"""

import asyncio
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
TEMPLATE = HERE.parent
BUILD = TEMPLATE / "build" / "bench-queue"
REQUIREMENTS = HERE / "requirements.txt"
PACKAGE = "benched"
ANSWERS = {
    "project_name": "Benched",
    "project_slug": PACKAGE,
    "package_name": PACKAGE,
    "external_systems": "sber",
    "tasks": "order_confirmation@sber",
}
LIMIT_S = 120.0
"""No single measurement takes half of this on a slow machine; one that hangs must not hold up the others."""

NOBODY_LISTENS = "http://127.0.0.1:9/sber"

Result = dict[str, float]


def enter() -> None:
    """Make sure that this script runs where the baked service can be imported; otherwise start it again there."""
    if importlib.util.find_spec(PACKAGE) is not None:
        return
    service, python = _bake(), _environment()
    _check_pins(service / "requirements" / "run.txt")
    path = os.pathsep.join((str(service / "src"), str(service)))
    os.execve(python, [str(python), *sys.argv], clean_environment() | {"PYTHONPATH": path})


def _bake() -> Path:
    BUILD.mkdir(parents=True, exist_ok=True)
    config = BUILD / "cookiecutter.yaml"
    config.write_text(f"cookiecutters_dir: {BUILD}/clones\nreplay_dir: {BUILD}/replay\n", encoding="utf-8")
    shutil.rmtree(BUILD / PACKAGE, ignore_errors=True)
    command = [sys.executable, "-m", "cookiecutter", str(TEMPLATE), "--no-input", "--output-dir", str(BUILD)]
    answers = [f"{name}={answer}" for name, answer in ANSWERS.items()]
    subprocess.run([*command, "--config-file", str(config), *answers], check=True, stdout=subprocess.DEVNULL)
    return BUILD / PACKAGE


def _environment() -> Path:
    """Return the interpreter of an environment with exactly the pinned packages; made once per list of pins."""
    folder = BUILD / "venv"
    stamp, digest = folder / "pins", hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != digest:
        script = TEMPLATE / "scripts" / "environment"
        subprocess.run(["sh", str(script), str(folder), str(REQUIREMENTS)], check=True)
        stamp.write_text(digest, encoding="utf-8")
    return folder / "bin" / "python"


def _check_pins(of_service: Path) -> None:
    """Refuse to measure the service with other versions than the ones it ships with."""
    ours, theirs = (_pins(path.read_text(encoding="utf-8")) for path in (REQUIREMENTS, of_service))
    if other := sorted(name for name, version in theirs.items() if ours.get(name) != version):
        sys.exit(f"benchmarks/requirements.txt differs from the service's pins ({', '.join(other)}): make pins")


def _pins(requirements: str) -> dict[str, str]:
    return dict(re.findall(r"(?m)^([\w.\[\]-]+)==([^\s;]+)", requirements))


def clean_environment() -> dict[str, str]:
    """Return the environment without anything that would set up PostgreSQL's clients or the service."""
    prefixes = ("PG", "POLLING__", "DATABASE_", "CLIENT_", "HTTP__", "ROLE", "LOG_LEVEL")
    return {name: value for name, value in os.environ.items() if not name.upper().startswith(prefixes)}


def service_environment(url: str, **more: str) -> dict[str, str]:
    """Return what a process of the service needs to start; its system is an address where nobody listens."""
    needed = {"DATABASE_URL": url, "CLIENT_SBER__BASE_URL": NOBODY_LISTENS}
    return {**clean_environment(), **needed, **more}


def libpq_url(url: str) -> str:
    """Return the address as asyncpg, psycopg and pgbench want it."""
    return url.replace("postgresql+asyncpg://", "postgresql://", 1)


class Rig:
    """A PostgreSQL with its defaults (fsync included), and a migrated database to copy for every measurement."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._number = 0
        self._run_sql("CREATE DATABASE migrated")
        command = [sys.executable, "-m", PACKAGE, "migrate"]
        subprocess.run(command, check=True, env=service_environment(self.url("migrated")), timeout=LIMIT_S)

    def url(self, database: str) -> str:
        """Return the address of one database, as the service wants it."""
        return self._url.replace("/postgres?", f"/{database}?", 1)

    def create(self, database: str) -> None:
        """Make a database of that name, migrated and empty; it stays."""
        self._run_sql(f"CREATE DATABASE {database} TEMPLATE migrated STRATEGY file_copy")

    @contextmanager
    def database(self, template: str = "migrated") -> Iterator[str]:
        """Copy a database, yield the copy's address, drop it; the checkpoint keeps one round's dirt out of the next."""
        self._number += 1
        name = f"round_{self._number}"
        self._run_sql(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy", "CHECKPOINT")
        try:
            yield self.url(name)
        finally:
            self._run_sql(f"DROP DATABASE {name} WITH (FORCE)")

    def measure(self, module: str, test: str, *, template: str = "migrated") -> Result:
        """Run one test of one contender in a process of its own; returns what it printed.

        Raises:
            subprocess.SubprocessError: it failed, or took too long.
        """
        with self.database(template) as url:
            command = [sys.executable, str(HERE / f"{module}.py"), test, url]
            done = subprocess.run(
                command, check=True, stdout=subprocess.PIPE, text=True, timeout=LIMIT_S, env=clean_environment()
            )
        result: Result = json.loads(done.stdout.splitlines()[-1])
        return result

    def _run_sql(self, *statements: str) -> None:
        asyncio.run(run_sql(self.url("postgres"), *statements))


async def run_sql(url: str, *statements: str) -> None:
    """Run statements, each in its own transaction."""
    import asyncpg  # only there after `enter`

    connection = await asyncpg.connect(libpq_url(url))
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


@contextmanager
def running_rig() -> Iterator[Rig]:
    """Start PostgreSQL as the service's own `dev/` does, with durable writes; everything is gone afterwards."""
    from dev.postgres import temporary_postgresql

    with temporary_postgresql(fsync="on", full_page_writes="on") as url:
        yield Rig(url)
