"""A PostgreSQL for the suites that do not restart it, and a provider for all of them."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from {{ cookiecutter.package_name }}.polling.database import Database, open_database
from {{ cookiecutter.package_name }}.polling.settings import DatabaseSettings

from dev.postgres import temporary_postgresql
from tests.faults.polling.crew import CREATE_EVERY_TASK
from tests.faults.polling.provider import Provider, open_provider
from tests.faults.polling.worker import CREATE_WITNESS
from tests.integration.polling.workshop import create_tables, empty_tables, execute


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    """The URL of a server that nobody else uses."""
    with temporary_postgresql() as url:
        yield url


@pytest_asyncio.fixture(scope="session")
async def opened(server_url: str) -> AsyncIterator[Database]:
    """The kit's tables, created once."""
    async with open_database(server_url, DatabaseSettings()) as database:
        await prepare(database)
        yield database


@pytest_asyncio.fixture
async def database(opened: Database) -> Database:
    """Empty tables."""
    await empty_tables(opened)
    await execute(opened, "WITH gone AS (DELETE FROM witness RETURNING 1) SELECT count(*) FROM gone")
    return opened


@pytest_asyncio.fixture
async def provider() -> AsyncIterator[Provider]:
    """An external system that has seen nothing yet."""
    async with open_provider() as serving:
        yield serving


async def prepare(database: Database) -> None:
    """Create what a suite needs in an empty database."""
    await create_tables(database)
    async with database.transaction() as connection:
        await connection.exec_driver_sql(CREATE_WITNESS)
        await connection.exec_driver_sql(CREATE_EVERY_TASK)
