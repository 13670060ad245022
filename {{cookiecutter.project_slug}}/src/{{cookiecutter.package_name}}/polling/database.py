"""The engine, and the two ways to use it: one statement that is its own transaction, or a transaction of several.

The engine is in AUTOCOMMIT from birth: one round trip for a statement instead of three. Whatever keeps the database
from answering is a `DatabaseUnavailableError` within connect, pool or statement timeout, never a hang.
"""

import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import orjson
from sqlalchemy import Executable, Row, event, text
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.util import greenlet_spawn

from .driver import DriverStatement, Records, fetch
from .errors import DatabaseUnavailableError
from .metrics import POOL_WAIT, PoolGauges
from .settings import DatabaseSettings
from .unavailable import DATABASE_ERRORS, RETRY_AFTER_S, is_unavailable

Rows = Sequence[Row[*tuple[Any, ...]]]

CLIENT_MARGIN_S = 0.5
"""How much longer than the server's own timeout the driver waits."""

PING = text("SELECT 1")


class Database:
    """Runs statements; knows nothing of tasks."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._transactional = engine.execution_options(isolation_level="READ COMMITTED")

    async def rows(self, statement: Executable, values: Mapping[str, Any] | None = None) -> Rows:
        """Run one statement, which commits by itself, and return its rows.

        Raises:
            DatabaseUnavailableError: no answer, or a refusal that has nothing to do with the statement.
        """
        with _translated():
            # One greenlet for connect, execute and close instead of three: a quarter of the whole statement's CPU.
            return await greenlet_spawn(self._rows, statement, values)

    def _rows(self, statement: Executable, values: Mapping[str, Any] | None) -> Rows:
        asked = time.perf_counter()
        with self.engine.sync_engine.connect() as connection:
            POOL_WAIT.observe(time.perf_counter() - asked)
            return connection.execute(statement, values).fetchall()

    async def records(self, statement: DriverStatement, values: Mapping[str, Any]) -> Records:
        """Do as `rows`, by the driver's own call: half the CPU, and rows without attributes.

        Raises:
            DatabaseUnavailableError: no answer, or a refusal that has nothing to do with the statement.
        """
        with _translated():
            return await greenlet_spawn(self._records, statement, values)

    def _records(self, statement: DriverStatement, values: Mapping[str, Any]) -> Records:
        asked = time.perf_counter()
        with self.engine.sync_engine.connect() as connection:
            POOL_WAIT.observe(time.perf_counter() - asked)
            return fetch(connection, statement, values)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection in a READ COMMITTED transaction: commits at the end, rolls back on an error.

        Never call another system inside: the connection and its locks would wait with you (R-RES-ISO-2).

        Raises:
            DatabaseUnavailableError: no answer; what the transaction did is undone, but for a lost commit.
        """
        with _translated():
            async with self._transactional.connect() as connection, connection.begin():
                yield connection

    async def ping(self) -> None:
        """Ask the database for a sign of life.

        Raises:
            DatabaseUnavailableError: there was none.
        """
        await self.rows(PING)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except DATABASE_ERRORS as error:
        if is_unavailable(error):
            message = f"The database did not answer: {type(error.__cause__ or error).__name__}."
            raise DatabaseUnavailableError(message, retry_after_s=RETRY_AFTER_S) from error
        raise


@asynccontextmanager
async def open_database(url: str, settings: DatabaseSettings | None = None) -> AsyncIterator[Database]:
    """Open the pool; connections are made when they are first needed. `url` is `postgresql+asyncpg://...`."""
    chosen = settings or DatabaseSettings()
    engine = create_async_engine(
        url,
        isolation_level="AUTOCOMMIT",
        skip_autocommit_rollback=True,
        pool_size=chosen.pool_size,
        max_overflow=0,
        pool_timeout=chosen.pool_timeout,
        pool_use_lifo=True,
        json_serializer=lambda value: orjson.dumps(value).decode(),
        json_deserializer=orjson.loads,
        connect_args=_connect_arguments(chosen),
    )
    event.listen(engine.sync_engine, "checkout", _refuse_closed)
    gauges = PoolGauges(engine.sync_engine.pool, chosen.pool_size)
    try:
        yield Database(engine)
    finally:
        gauges.forget()
        await engine.dispose()


def _refuse_closed(connection: Any, *_: object) -> None:
    """A connection that the server closed meanwhile is replaced before anything is sent: no round trip needed."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def _connect_arguments(settings: DatabaseSettings) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "timeout": settings.connect_timeout,
        "command_timeout": settings.statement_timeout + CLIENT_MARGIN_S,
    }
    if settings.pgbouncer:
        # Consecutive transactions may land on different servers, where a prepared statement is not known. With both
        # caches off the driver leaves statements unnamed; names of our own (unique ones, too) fail in AUTOCOMMIT.
        return arguments | {"statement_cache_size": 0, "prepared_statement_cache_size": 0}
    return arguments | {
        "server_settings": {
            "application_name": "resilient-service",
            "jit": "off",  # Compiling costs more than any statement here takes.
            "statement_timeout": f"{settings.statement_timeout * 1000:.0f}",
            "idle_in_transaction_session_timeout": f"{settings.idle_in_transaction_timeout * 1000:.0f}",
        }
    }
