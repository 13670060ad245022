"""Statements for the driver's own call: what SQLAlchemy does around a statement is half of a small one's CPU.

For the hot path only: acceptance, claim and outcome. They come from SQLAlchemy's pool and its `text()` all the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg
from sqlalchemy import Connection, TextClause, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.util import await_only

from .unavailable import is_unavailable

DIALECT = make_url("postgresql+asyncpg://").get_dialect()()

Records = Sequence[asyncpg.Record]


@dataclass(frozen=True, slots=True)
class DriverStatement:
    """A statement with `$1` for `:name`, and the names in that order."""

    sql: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, clause: TextClause) -> "DriverStatement":
        """Compile a statement once."""
        compiled = SQLCompiler(DIALECT, clause)
        return cls(compiled.string, tuple(compiled.positiontup or ()))


def fetch(connection: Connection, statement: DriverStatement, values: Mapping[str, Any]) -> Records:
    """Run a statement on an engine's connection, within a greenlet.

    Raises:
        DBAPIError: server or driver refused the statement; without the values, for they may be a client's data.
        BaseException: no answer. Nobody knows what the connection still does, so it is closed.
    """
    driver: Any = connection.connection.driver_connection
    try:
        records: Records = await_only(driver.fetch(statement.sql, *[values[name] for name in statement.names]))
    except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        if is_unavailable(error):
            connection.invalidate()  # the server is about to close it, and the driver may not know that yet
        raise DBAPIError(statement.sql, None, error, hide_parameters=True) from error
    except BaseException:
        connection.invalidate()
        raise
    return records
