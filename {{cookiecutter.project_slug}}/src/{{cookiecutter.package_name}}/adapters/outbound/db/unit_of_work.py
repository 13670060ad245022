"""Several statements, one commit: for a flow that needs more than accepting or queueing, which are one statement each.

    async with unit_of_work(database) as work:
        await work.run(order_table.update().where(...).values(...))
        await work.run(invoice_table.insert().values(...))

It costs two more round trips, so the hot path does without (see the service's decision records).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Executable, Row
from sqlalchemy.ext.asyncio import AsyncConnection

from {{ cookiecutter.package_name }}.polling.database import Database


class UnitOfWork:
    """Statements that become true together, or not at all."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def run(self, statement: Executable) -> list[Row[*tuple[Any, ...]]]:
        """Run one statement; returns the rows that it gives, if any."""
        result = await self._connection.execute(statement)
        return list(result.all()) if result.returns_rows else []


@asynccontextmanager
async def unit_of_work(database: Database) -> AsyncIterator[UnitOfWork]:
    """Commit at the end of the block, undo everything when it raises.

    Call no external system inside: locks and connection would wait with you (R-RES-ISO-2).

    Raises:
        DatabaseUnavailableError: nothing was committed, as far as we know.
    """
    async with database.transaction() as connection:
        yield UnitOfWork(connection)
