"""The database is a dependency too: down, hanging or out of connections, the service says so and comes back by itself.

Waits are bounded by the settings below, and each test fails by its own bound when an answer does not come.
"""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
from sqlalchemy import func, select, text

from {{ cookiecutter.package_name }}.infrastructure.composition import Service, compose
from {{ cookiecutter.package_name }}.infrastructure.configuration import Configuration
from {{ cookiecutter.package_name }}.infrastructure.graph import load_graph
from {{ cookiecutter.package_name }}.infrastructure.lifecycle import Lifecycle
from {{ cookiecutter.package_name }}.infrastructure.readiness import Readiness
from {{ cookiecutter.package_name }}.polling.database import Database, open_database
from {{ cookiecutter.package_name }}.polling.settings import DatabaseSettings

from .database_proxy import DatabaseProxy, proxied

PATHS = [f"/{aggregate.table.name.replace('_', '-')}" for aggregate in load_graph().aggregates]
pytestmark = pytest.mark.skipif(not PATHS, reason="this service has no aggregate, so no request needs the database")

QUICK = DatabaseSettings(pool_size=2, pool_timeout=0.3, connect_timeout=0.3, statement_timeout=0.3)
ANSWER_LIMIT_S = 5.0
"""A hang would take longer; the settings above add up to less than two seconds."""


@pytest.fixture
async def proxy(database_url: str) -> AsyncIterator[DatabaseProxy]:
    async with proxied(database_url) as proxy:
        yield proxy


@pytest.fixture
async def database_behind(proxy: DatabaseProxy) -> AsyncIterator[Database]:
    async with open_database(proxy.url, QUICK) as database:
        yield database


@pytest.fixture
async def service_behind(database_behind: Database, configuration: Configuration) -> AsyncIterator[Service]:
    async with compose(configuration, database_behind) as service:
        yield service


@pytest.fixture
async def client(service_behind: Service) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(service_behind.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
        yield client


async def post(client: httpx.AsyncClient) -> httpx.Response:
    async with asyncio.timeout(ANSWER_LIMIT_S):
        return await client.post(PATHS[0], json={"payload": {"n": 1}})


def assert_unavailable(response: httpx.Response) -> None:
    assert response.status_code == 503
    assert response.headers["Content-Type"] == "application/problem+json"
    assert int(response.headers["Retry-After"]) >= 1


async def test_a_database_that_is_down_is_a_503_and_comes_back(client: httpx.AsyncClient, proxy: DatabaseProxy) -> None:
    assert (await post(client)).status_code == 202

    await proxy.refuse()
    assert_unavailable(await post(client))

    await proxy.heal()
    assert (await post(client)).status_code == 202


async def test_a_database_that_hangs_is_a_503_and_comes_back(client: httpx.AsyncClient, proxy: DatabaseProxy) -> None:
    assert (await post(client)).status_code == 202

    proxy.hang()
    assert_unavailable(await post(client))
    assert proxy.held_back > 0

    await proxy.heal()
    assert (await post(client)).status_code == 202


async def test_an_exhausted_pool_is_a_503_and_comes_back(client: httpx.AsyncClient, database_behind: Database) -> None:
    async with database_behind.transaction() as one, database_behind.transaction() as two:
        await one.execute(text("SELECT 1"))
        await two.execute(text("SELECT 1"))

        assert_unavailable(await post(client))

    assert (await post(client)).status_code == 202


async def test_a_refused_request_leaves_no_row(
    client: httpx.AsyncClient, proxy: DatabaseProxy, database: Database
) -> None:
    count = select(func.count()).select_from(load_graph().aggregates[0].table)
    before = (await database.rows(count))[0][0]

    await proxy.refuse()
    assert_unavailable(await post(client))

    assert (await database.rows(count))[0][0] == before


async def test_readiness_follows_the_database_and_liveness_does_not_ask(
    service_behind: Service, proxy: DatabaseProxy
) -> None:
    lifecycle = Lifecycle()
    lifecycle.started = True
    readiness = Readiness(service_behind.database, service_behind.systems, lifecycle, timeout_s=0.5)

    async def reported() -> tuple[str, str]:
        async with asyncio.timeout(ANSWER_LIMIT_S):
            report = await readiness.report()
        return report["status"], report["database"]

    assert await reported() == ("ready", "up")
    await proxy.refuse()
    assert await reported() == ("not_ready", "down")
    await proxy.heal()
    assert await reported() == ("ready", "up")
    proxy.hang()
    assert await reported() == ("not_ready", "down")
    await proxy.heal()
    assert await reported() == ("ready", "up")


async def test_readiness_sees_an_exhausted_pool(service_behind: Service, database_behind: Database) -> None:
    lifecycle = Lifecycle()
    lifecycle.started = True
    readiness = Readiness(service_behind.database, service_behind.systems, lifecycle, timeout_s=2)

    async with database_behind.transaction() as one, database_behind.transaction() as two:
        await one.execute(text("SELECT 1"))
        await two.execute(text("SELECT 1"))
        assert (await readiness.report())["database"] == "down"

    assert (await readiness.report())["database"] == "up"
