"""A PostgreSQL for the suites that do not restart it, and a provider for all of them."""

from collections.abc import AsyncIterator

import pytest

from {{ cookiecutter.package_name }}.polling.database import Database

from tests.faults.polling.crew import CREATE_EVERY_TASK
from tests.faults.polling.provider import Provider, open_provider
from tests.faults.polling.worker import CREATE_WITNESS
from tests.integration.polling.fixtures import opened, server_url
from tests.integration.polling.workshop import create_tables, empty_tables, execute

__all__ = ["opened", "server_url"]


@pytest.fixture(scope="session")
async def furnished(opened: Database) -> Database:
    """The kit's tables, and what the suites look at."""
    await furnish(opened)
    return opened


@pytest.fixture
async def database(furnished: Database) -> Database:
    """Empty tables."""
    await empty_tables(furnished)
    await execute(furnished, "WITH gone AS (DELETE FROM witness RETURNING 1) SELECT count(*) FROM gone")
    return furnished


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    """An external system that has seen nothing yet."""
    async with open_provider() as serving:
        yield serving


async def prepare(database: Database) -> None:
    """Create what a suite needs in an empty database."""
    await create_tables(database)
    await furnish(database)


async def furnish(database: Database) -> None:
    """Create what only the suites need."""
    async with database.transaction() as connection:
        await connection.exec_driver_sql(CREATE_WITNESS)
        await connection.exec_driver_sql(CREATE_EVERY_TASK)
