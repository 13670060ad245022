"""A PostgreSQL for the suites that do not restart it."""

from collections.abc import Iterator

import pytest

from dev.postgres import temporary_postgresql


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    """The URL of a server that nobody else uses."""
    with temporary_postgresql() as url:
        yield url
