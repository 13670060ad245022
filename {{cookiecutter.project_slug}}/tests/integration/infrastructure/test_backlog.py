"""A backlog over its cap turns new work away, and nothing is stored for it."""

from collections.abc import AsyncIterator
from dataclasses import replace

import httpx
import pytest
from sqlalchemy import func, select

from {{ cookiecutter.package_name }}.infrastructure.composition import compose
from {{ cookiecutter.package_name }}.infrastructure.configuration import Configuration
from {{ cookiecutter.package_name }}.infrastructure.graph import load_graph
from {{ cookiecutter.package_name }}.polling.database import Database

AGGREGATES = load_graph().aggregates
CAP = 2

pytestmark = pytest.mark.skipif(not AGGREGATES, reason="this service has no aggregate, so nothing can be queued")


@pytest.fixture
async def client(configuration: Configuration, database: Database, simulator: str) -> AsyncIterator[httpx.AsyncClient]:
    polling = configuration.polling.model_copy(update={"backlog_cap": CAP})
    async with compose(replace(configuration, polling=polling), database) as service:
        transport = httpx.ASGITransport(service.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
            yield client


async def test_over_the_cap_a_request_is_a_503_and_leaves_no_row(client: httpx.AsyncClient, database: Database) -> None:
    table = AGGREGATES[0].table
    path = f"/{table.name.replace('_', '-')}"
    for _ in range(CAP):
        assert (await client.post(path, json={"payload": {}})).status_code == 202

    turned_away = await client.post(path, json={"payload": {}})

    assert turned_away.status_code == 503
    assert turned_away.headers["Content-Type"] == "application/problem+json"
    assert int(turned_away.headers["Retry-After"]) >= 1
    assert (await database.rows(select(func.count()).select_from(table)))[0][0] == CAP


async def test_what_was_accepted_under_a_key_is_answered_over_the_cap_too(client: httpx.AsyncClient) -> None:
    path = f"/{AGGREGATES[0].table.name.replace('_', '-')}"
    keyed = {"Idempotency-Key": "first"}
    first = await client.post(path, json={"payload": {}}, headers=keyed)
    while (await client.post(path, json={"payload": {}})).status_code == 202:
        pass

    again = await client.post(path, json={"payload": {}}, headers=keyed)

    assert (again.status_code, again.json()) == (202, first.json())
