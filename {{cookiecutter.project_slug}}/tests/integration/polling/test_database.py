"""The database's two ways, and what happens when it is away: an error of ours, soon, and never a hang."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from {{ cookiecutter.package_name }}.polling.api import DatabaseUnavailableError
from {{ cookiecutter.package_name }}.polling.database import Database, open_database
from {{ cookiecutter.package_name }}.polling.settings import DatabaseSettings

from tests.integration.polling.workshop import accepted, execute, rows
from tests.waiting import LIMIT_S

ONE = "SELECT 1 AS one"
SLOW = "SELECT pg_sleep(60)"

PATIENCE_S = 30.0
"""Of a setting that must not be what ends the wait: twice as long as a test waits for anything."""


@asynccontextmanager
async def opened_with(url: str, **settings: float | bool) -> AsyncIterator[Database]:
    async with open_database(url, DatabaseSettings.model_validate(settings)) as database:
        yield database


async def unavailable(database: Database, sql: str = ONE) -> None:
    """See the statement end as unavailable, long before what keeps it waiting would."""
    async with asyncio.timeout(LIMIT_S):
        with pytest.raises(DatabaseUnavailableError) as away:
            await execute(database, sql)
    assert away.value.retry_after_s


async def test_a_refused_connection_is_told_at_once() -> None:
    async with opened_with("postgresql+asyncpg://postgres@127.0.0.1:1/none", connect_timeout=PATIENCE_S) as database:
        await unavailable(database)
        with pytest.raises(DatabaseUnavailableError):
            async with database.transaction():
                pass
        with pytest.raises(DatabaseUnavailableError):
            await database.ping()


async def test_a_missing_socket_is_told_at_once() -> None:
    async with opened_with("postgresql+asyncpg://postgres@/none?host=/nowhere", connect_timeout=PATIENCE_S) as database:
        await unavailable(database)


async def test_a_silent_host_is_given_the_connect_timeout() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql+asyncpg://postgres@127.0.0.1:{silent.getsockname()[1]}/none"
        async with opened_with(url, connect_timeout=0.3) as database:
            await unavailable(database)


async def test_an_exhausted_pool_is_given_the_pool_timeout(server_url: str) -> None:
    async with (
        opened_with(server_url, pool_size=2, pool_timeout=0.2) as database,
        database.transaction(),
        database.transaction(),
    ):
        await unavailable(database)


async def test_a_slow_statement_is_given_the_statement_timeout(server_url: str) -> None:
    async with opened_with(server_url, statement_timeout=0.2) as database:
        await unavailable(database, SLOW)
        assert (await execute(database, ONE))[0].one == 1


async def test_a_server_that_stops_answering_is_given_little_more(server_url: str) -> None:
    """Without the server's own timeout, as behind pgbouncer, the driver's must do."""
    async with opened_with(server_url, statement_timeout=0.2, pgbouncer=True) as database:
        await unavailable(database, SLOW)
        assert (await execute(database, ONE))[0].one == 1


async def test_connections_that_the_server_closed_are_replaced_unseen(database: Database, server_url: str) -> None:
    async with opened_with(server_url, pool_size=4) as other:
        pids = set(await asyncio.gather(*(pid_of(other) for _ in range(4))))
        for pid in pids:
            await execute(database, "SELECT pg_terminate_backend(CAST(:pid AS int))", pid=pid)
        await asyncio.sleep(0.1)

        for _ in range(4):
            assert (await execute(other, ONE))[0].one == 1


async def pid_of(database: Database) -> int:
    (row,) = await execute(database, "SELECT pg_backend_pid() AS pid, pg_sleep(0.05)")
    return int(row.pid)


async def test_a_connection_that_dies_under_a_statement_is_unavailable(database: Database, server_url: str) -> None:
    async with opened_with(server_url, statement_timeout=PATIENCE_S) as other:
        statement = asyncio.create_task(unavailable(other, f"{SLOW} /* victim */"))
        await asyncio.sleep(0.2)
        await execute(
            database,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%/* victim */' "
            "AND pid <> pg_backend_pid()",
        )
        await statement


async def test_a_cancelled_statement_gives_its_connection_back(server_url: str) -> None:
    async with opened_with(server_url, pool_size=2) as database:
        for number in range(10):
            statement = asyncio.create_task(execute(database, "SELECT pg_sleep(5)"))
            await asyncio.sleep(0.02 * (number % 3))
            statement.cancel()
            with pytest.raises(asyncio.CancelledError):
                await statement

        ones = await asyncio.gather(*(execute(database, ONE) for _ in range(2)))
        async with database.transaction(), database.transaction():
            assert [rows[0].one for rows in ones] == [1, 1]


async def test_a_mistake_in_a_statement_is_not_an_outage(database: Database) -> None:
    with pytest.raises(DBAPIError):
        await execute(database, "SELECT 1 / 0 AS n")
    with pytest.raises(DBAPIError):
        await execute(database, "SELECT * FROM nowhere")
    with pytest.raises(DBAPIError):
        await execute(database, "SELECT CAST(:n AS int)", n="not a number")


async def test_a_transaction_commits_whole_or_not_at_all(database: Database) -> None:
    await accepted(database, 1)
    delete = text("DELETE FROM order_confirmation_task")

    async def fails_in_the_middle() -> None:
        async with database.transaction() as connection:
            await connection.execute(delete)
            raise LookupError

    with pytest.raises(LookupError):
        await fails_in_the_middle()
    assert len(await rows(database)) == 1

    async with database.transaction() as connection:
        await connection.execute(delete)
    assert await rows(database) == []


async def test_one_statement_commits_by_itself_after_transactions_too(server_url: str, database: Database) -> None:
    async with opened_with(server_url, pool_size=2) as other:
        for _ in range(4):
            async with other.transaction() as connection:
                level = (await connection.execute(text("SHOW transaction_isolation"))).scalar_one()
                assert level == "read committed"
            await execute(other, "INSERT INTO orders (payload) VALUES ('{}') RETURNING order_id")
        in_transaction = await execute(database, "SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction'")

    assert len(await execute(database, "SELECT order_id FROM orders")) == 4
    assert in_transaction == []
