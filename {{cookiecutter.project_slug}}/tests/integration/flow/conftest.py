"""A database of the flow's own beside the service's, on the same server."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import make_url

from {{ cookiecutter.package_name }}.polling.database import Database, open_database

from tests.integration.polling.fixtures import database
from tests.integration.polling.workshop import create_tables

__all__ = ["database"]


@pytest.fixture(scope="session")
async def opened(database_url: str) -> AsyncIterator[Database]:
    """The example's tables, created once."""
    async with open_database(database_url) as server, server.engine.connect() as connection:
        await connection.exec_driver_sql("CREATE DATABASE flow")
    url = make_url(database_url).set(database="flow").render_as_string(hide_password=False)
    async with open_database(url) as own:
        await create_tables(own)
        yield own
