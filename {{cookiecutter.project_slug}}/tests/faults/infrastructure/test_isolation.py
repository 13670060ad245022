"""A system that hangs holds nothing that others need: no connection of the database, no other system's work."""

from collections.abc import AsyncIterator
from itertools import groupby

import httpx
import pytest
from sqlalchemy.pool import QueuePool

from {{ cookiecutter.package_name }}.infrastructure.composition import Service
from {{ cookiecutter.package_name }}.infrastructure.graph import load_graph
from {{ cookiecutter.package_name }}.infrastructure.slices import Task
from {{ cookiecutter.package_name }}.polling.acceptance import Acceptance
from {{ cookiecutter.package_name }}.polling.views import task_views

from tests.waiting import eventually

GRAPH = load_graph()
TABLES = {aggregate.name: aggregate.table for aggregate in GRAPH.aggregates}
FIRST_TASKS = [
    next(iter(tasks)) for _, tasks in groupby(sorted(GRAPH.tasks, key=lambda t: t.system), key=lambda t: t.system)
]
"""One task per system that anything waits for."""

MORE_THAN_ROOM = 2
"""Times the bulkhead: the system is at full load, and more is waiting."""


async def queue(service: Service, task: Task, count: int) -> list[int]:
    """Queue `count` rows and wake their poller; returns the ids of their aggregates."""
    table = TABLES[task.table.info["aggregate"]]
    acceptance = Acceptance(service.database, table, task.table, service.configuration.polling)
    ids = [(await acceptance.accept({"n": n}, None)).aggregate_id for n in range(count)]
    for poller in service.pollers:
        if poller.system == task.system:
            poller.wake(task.name)
    return ids


@pytest.fixture
async def control(simulator: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{simulator}/_simulator") as control:
        yield control


async def hang(control: httpx.AsyncClient, system: str) -> None:
    (await control.put(f"/{system}", json={"fault": "hang"})).raise_for_status()


async def fill(service: Service, control: httpx.AsyncClient, task: Task) -> None:
    """Queue until the hanging system has as many calls in flight as its bulkhead allows."""
    room = next(s.guard.settings.max_concurrent for s in service.systems if s.name == task.system)
    await queue(service, task, room * MORE_THAN_ROOM)

    async def in_flight() -> int:
        shown: int = (await control.get(f"/{task.system}")).json()["in_flight"]
        return shown

    await eventually(in_flight, lambda count: count == room)


@pytest.mark.skipif(not FIRST_TASKS, reason="this service has no task")
async def test_res_iso_2_no_connection_is_held_while_every_system_hangs_at_full_load(
    working_service: Service, control: httpx.AsyncClient
) -> None:
    for task in FIRST_TASKS:
        await hang(control, task.system)
    for task in FIRST_TASKS:
        await fill(working_service, control, task)

    pool = working_service.database.engine.sync_engine.pool

    async def checked_out() -> int:
        assert isinstance(pool, QueuePool)
        return pool.checkedout()

    assert await eventually(checked_out, lambda count: count == 0) == 0


@pytest.mark.skipif(len(FIRST_TASKS) < 2, reason="this service has tasks for one system only")
async def test_res_iso_1_tasks_of_other_systems_go_on_while_one_hangs(
    working_service: Service, control: httpx.AsyncClient
) -> None:
    sick, healthy = FIRST_TASKS[:2]
    await hang(control, sick.system)
    await fill(working_service, control, sick)

    (aggregate_id,) = await queue(working_service, healthy, 1)

    async def status() -> str:
        views = await task_views(working_service.database, TABLES[healthy.table.info["aggregate"]], aggregate_id)
        return next(view.status for view in views if view.task == healthy.name)

    assert await eventually(status, lambda status: status == "COMPLETED") == "COMPLETED"
