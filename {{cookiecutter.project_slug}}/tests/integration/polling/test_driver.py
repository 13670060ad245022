"""The driver's own call, for the hot path: it promises what SQLAlchemy's execution promises."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from {{ cookiecutter.package_name }}.polling.api import DatabaseUnavailableError
from {{ cookiecutter.package_name }}.polling.database import Database, open_database
from {{ cookiecutter.package_name }}.polling.driver import DriverStatement
from {{ cookiecutter.package_name }}.polling.settings import DatabaseSettings

from tests.integration.polling.workshop import execute
from tests.waiting import eventually

ECHO = DriverStatement.of(text("SELECT CAST(:b AS text) AS b, CAST(:a AS int) AS a, CAST(:b AS text) AS again"))
REFUSED = DriverStatement.of(text("SELECT CAST(CAST(:a AS text) AS int) AS a"))
SLOW = DriverStatement.of(text("SELECT pg_backend_pid() AS pid, pg_sleep(CAST(:s AS float8)) /* slow */"))
PID = DriverStatement.of(text("SELECT pg_backend_pid() AS pid"))
BACKEND = """SELECT pid FROM pg_stat_activity
WHERE query LIKE '%/* slow */' AND state = 'active' AND pid <> pg_backend_pid()"""


async def pid_of_slow(database: Database) -> int:
    (found,) = await eventually(lambda: execute(database, BACKEND), lambda seen: len(seen) == 1)
    return int(found.pid)


async def test_values_go_by_name_and_come_back_by_name(database: Database) -> None:
    (row,) = await database.records(ECHO, {"a": 1, "b": "x", "unused": None})

    assert (row["a"], row["b"], row["again"]) == (1, "x", "x")
    assert ECHO.names == ("b", "a")


@pytest.mark.parametrize("value", ["a\ud800", 5])
async def test_a_value_that_the_driver_refuses_is_an_error_that_callers_know(server_url: str, value: object) -> None:
    """One bad value among outcomes must not end the poller that writes them."""
    async with open_database(server_url, DatabaseSettings(pool_size=2)) as database:
        (before,) = await database.records(PID, {})
        with pytest.raises(DBAPIError):
            await database.records(REFUSED, {"a": value})
        (after,) = await database.records(PID, {})

    assert before["pid"] == after["pid"]


async def test_a_refused_statement_keeps_its_connection_and_tells_no_value(server_url: str) -> None:
    async with open_database(server_url, DatabaseSettings(pool_size=2)) as database:
        (before,) = await database.records(PID, {})
        with pytest.raises(DBAPIError) as refused:
            await database.records(REFUSED, {"a": "a secret"})
        (after,) = await database.records(PID, {})

    assert "a secret" not in repr(refused.value.params)
    assert before["pid"] == after["pid"]


@pytest.mark.parametrize("host", ["127.0.0.1:1", "/nowhere"])
async def test_a_server_that_is_away_is_unavailable(host: str) -> None:
    url = f"postgresql+asyncpg://postgres@/none?host={host}"
    async with open_database(url, DatabaseSettings()) as database:
        with pytest.raises(DatabaseUnavailableError):
            await database.records(PID, {})


async def test_a_connection_that_is_refused_is_an_error_that_callers_know(server_url: str) -> None:
    """As while the server starts or stops: the driver's error must not come through as it is."""
    url = server_url.replace("/postgres?", "/no_such_database?", 1)
    async with open_database(url, DatabaseSettings()) as database:
        with pytest.raises(DBAPIError, match="no_such_database"):
            await database.records(PID, {})


async def test_a_statement_over_the_servers_limit_is_unavailable(server_url: str) -> None:
    async with open_database(server_url, DatabaseSettings(statement_timeout=0.2)) as database:
        with pytest.raises(DatabaseUnavailableError):
            await database.records(SLOW, {"s": 60.0})
        assert await database.records(PID, {})


async def test_a_connection_that_dies_under_a_statement_is_unavailable_and_replaced(
    database: Database, server_url: str
) -> None:
    async with open_database(server_url, DatabaseSettings(statement_timeout=60, pool_size=2)) as other:
        statement = asyncio.create_task(other.records(SLOW, {"s": 60.0}))
        killed = await pid_of_slow(database)
        await execute(database, "SELECT pg_terminate_backend(CAST(:pid AS int))", pid=killed)

        with pytest.raises(DatabaseUnavailableError):
            await statement
        (row,) = await other.records(PID, {})
        assert row["pid"] != killed


async def test_a_cancelled_statement_leaves_no_connection_in_use(database: Database, server_url: str) -> None:
    async with open_database(server_url, DatabaseSettings(statement_timeout=60, pool_size=2)) as other:
        for _ in range(5):
            statement = asyncio.create_task(other.records(SLOW, {"s": 60.0}))
            await pid_of_slow(database)
            statement.cancel()
            with pytest.raises(asyncio.CancelledError):
                await statement
            await eventually(lambda: execute(database, BACKEND), lambda seen: not seen)

        assert await asyncio.gather(*(other.records(PID, {}) for _ in range(4)))
