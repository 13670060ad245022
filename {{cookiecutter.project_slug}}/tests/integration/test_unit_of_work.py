"""What one unit of work does becomes true together, or not at all."""

import pytest
from sqlalchemy import insert, select

from {{ cookiecutter.package_name }}.adapters.outbound.db.unit_of_work import unit_of_work
from {{ cookiecutter.package_name }}.polling.database import Database
from {{ cookiecutter.package_name }}.polling.tables import pause

FIRST = insert(pause).values(task="first", reason="test", actor="test")
SECOND = insert(pause).values(task="second", reason="test", actor="test")
ALL = select(pause.c.task).order_by(pause.c.task)


async def test_both_statements_are_committed(database: Database) -> None:
    async with unit_of_work(database) as work:
        await work.run(FIRST)
        await work.run(SECOND)
        seen_inside = [row.task for row in await work.run(ALL)]

    assert seen_inside == ["first", "second"]
    assert [row.task for row in await database.rows(ALL)] == seen_inside


async def test_an_error_undoes_what_came_before_it(database: Database) -> None:
    async def stop_halfway() -> None:
        async with unit_of_work(database) as work:
            await work.run(FIRST)
            raise LookupError

    with pytest.raises(LookupError):
        await stop_halfway()

    assert await database.rows(ALL) == []
