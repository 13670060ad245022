"""Pods that start together migrate together: one does it, the others wait and find it done."""

import asyncio
import os
import sys

from {{ cookiecutter.package_name }}.infrastructure.migrate import upgrade

from tests.integration.polling.test_migrations import catalogue, new_database


async def test_four_upgrades_of_an_empty_database_at_once_all_succeed(server_url: str) -> None:
    """In processes, because that is how pods do it; Alembic's context is one per process."""
    script = f"import sys; from {upgrade.__module__} import *; upgrade(sys.argv[1], DEFAULT_FOLDER)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for number in range(3):
        url = await new_database(server_url, f"raced_{number}")
        upgrades = [
            await asyncio.create_subprocess_exec(sys.executable, "-c", script, url, env=environment) for _ in range(4)
        ]

        assert [await upgraded.wait() for upgraded in upgrades] == [0, 0, 0, 0]
        assert len(await catalogue(url)) > 50
