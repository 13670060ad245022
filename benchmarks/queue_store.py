"""The kit's side of an enqueue: aggregate and task by `Acceptance`, as the service's repository does it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from benched.adapters.outbound.db.aggregates.order import order_table
from benched.adapters.outbound.db.tasks.order_confirmation import order_confirmation_tasks
from benched.polling.acceptance import Acceptance
from benched.polling.database import Database, open_database
from benched.polling.settings import DatabaseSettings, PollingSettings
from queue_load import PAYLOAD


class Orders:
    """Accepts numbered orders."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._acceptance = Acceptance(database, order_table, order_confirmation_tasks, PollingSettings())

    @classmethod
    @asynccontextmanager
    async def open(cls, url: str) -> AsyncIterator["Orders"]:
        """Open the service's own pool."""
        async with open_database(url, DatabaseSettings()) as database:
            yield cls(database)

    async def accept(self, number: int) -> None:
        """Store one order and its task."""
        await self._acceptance.accept(PAYLOAD | {"number": number})
