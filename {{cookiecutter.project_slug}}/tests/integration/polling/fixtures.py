"""A PostgreSQL for the kit's tests: started once per suite that imports these fixtures, emptied before every test."""

from collections.abc import AsyncIterator, Iterator

import pytest

from {{ cookiecutter.package_name }}.polling.database import Database, open_database

from dev.postgres import temporary_postgresql
from tests.integration.polling.workshop import create_tables, empty_tables


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    """The URL of a server that nobody else uses."""
    with temporary_postgresql() as url:
        yield url


@pytest.fixture(scope="session")
async def opened(server_url: str) -> AsyncIterator[Database]:
    """The kit's tables, created once."""
    async with open_database(server_url) as database:
        await create_tables(database)
        yield database


@pytest.fixture
async def database(opened: Database) -> Database:
    """Empty tables."""
    await empty_tables(opened)
    return opened
