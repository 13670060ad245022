"""The kit's own PostgreSQL."""

from tests.integration.polling.fixtures import database, opened, server_url

__all__ = ["database", "opened", "server_url"]
