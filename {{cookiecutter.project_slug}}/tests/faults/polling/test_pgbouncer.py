"""Behind pgbouncer in transaction mode, with `DATABASE__PGBOUNCER=true`: no errors, no lost work."""

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from {{ cookiecutter.package_name }}.polling.acceptance import Acceptance
from {{ cookiecutter.package_name }}.polling.api import DatabaseUnavailableError
from {{ cookiecutter.package_name }}.polling.database import Database, open_database
from {{ cookiecutter.package_name }}.polling.settings import DatabaseSettings

from dev.postgres_home import account, open_temp_directory
from tests.faults.polling.crew import crew_of
from tests.faults.polling.provider import Provider
from tests.integration.polling.workshop import FAST, FIRST, THINGS, execute, rows

PGBOUNCER = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin")
CONFIGURATION = """
[databases]
postgres = host={host} port=5432 user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
max_prepared_statements = {prepared}
"""

pytestmark = pytest.mark.skipif(PGBOUNCER is None, reason="pgbouncer is not installed: apt install pgbouncer")


@pytest.fixture
def bouncer_url(server_url: str) -> Iterator[str]:
    """The server's URL through a pooler with four connections."""
    assert PGBOUNCER is not None
    user = account()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="pgbouncer-", dir=open_temp_directory()))
    if user:
        os.chown(folder, user.uid, user.gid)
    configuration = folder / "pgbouncer.ini"
    text = CONFIGURATION.format(host=make_url(server_url).query["host"], port=port, prepared=0)
    version = subprocess.run([PGBOUNCER, "--version"], capture_output=True, text=True, check=True).stdout
    known = tuple(int(part) for part in version.split()[1].split(".")[:2]) >= (1, 21)
    configuration.write_text(text if known else "\n".join(text.splitlines()[:-1]))
    configuration.chmod(0o644)
    process = subprocess.Popen(
        [PGBOUNCER, "-q", str(configuration)],
        user=user.uid if user else None,
        group=user.gid if user else None,
        extra_groups=[] if user else None,
    )
    for _ in range(200):
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 0.1).close()
            break
        time.sleep(0.02)
    yield f"postgresql+asyncpg://postgres@127.0.0.1:{port}/postgres"
    process.terminate()
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)


async def test_without_the_setting_it_does_not_work_at_all(database: Database, bouncer_url: str) -> None:
    """Shows that the pooler is in the way, so that the other tests mean something."""
    async with open_database(bouncer_url, DatabaseSettings()) as wrong:
        with pytest.raises((DatabaseUnavailableError, SQLAlchemyError)):
            await asyncio.gather(*(execute(wrong, "SELECT 1 AS one") for _ in range(20)))


async def test_statements_and_transactions_of_many_connections_meet_no_error(
    database: Database, bouncer_url: str
) -> None:
    settings = DatabaseSettings(pgbouncer=True, pool_size=8, pool_timeout=20)
    async with open_database(bouncer_url, settings) as pooled, open_database(bouncer_url, settings) as other:
        one, two = Acceptance(pooled, THINGS, FIRST, FAST), Acceptance(other, THINGS, FIRST, FAST)
        await asyncio.gather(*(of.accept({"n": n}, f"key {n}") for n in range(300) for of in (one, two)))
        async with pooled.transaction() as connection:
            assert len((await connection.execute(FIRST.select())).fetchall()) == 300

    assert len(await rows(database)) == 300


async def test_workers_behind_it_lose_nothing(
    database: Database, provider: Provider, bouncer_url: str, tmp_path: Path
) -> None:
    polling = {"lease": 10, "interval": 0.5, "poll_base": 0.05}
    behind = {"pgbouncer": True, "pool_timeout": 10}
    async with crew_of("pgbouncer", database, provider, tmp_path, bouncer_url, polling=polling, pool=behind) as crew:
        await crew.enqueue(1000)
        for _ in range(3):
            crew.start()
        for worker in crew.workers:
            await crew.until_it_holds(worker)
        await crew.until_done()
        evidence = await crew.finish()

    assert evidence["repeated_keys"] == 0, evidence
    assert evidence["burned"] == 0, evidence
