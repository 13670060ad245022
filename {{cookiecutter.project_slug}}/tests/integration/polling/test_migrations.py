"""The migrations make exactly what the tables declare: predicates of indexes and storage parameters, too.

`alembic check` sees neither, so both catalogues are read and compared.
"""

import asyncio

import pytest_asyncio
from alembic import command
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from {{ cookiecutter.package_name }}.infrastructure.discovery import modules
from {{ cookiecutter.package_name }}.infrastructure.migrate import (
    DEFAULT_FOLDER,
    alembic_configuration,
    upgrade,
)
from {{ cookiecutter.package_name }}.polling.tables import metadata

CATALOGUE = """
SELECT 'column' AS kind, format('%I.%I', c.relname, a.attname) AS name,
  concat_ws(' ', format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'not null' END, a.attidentity,
    pg_get_expr(d.adbin, d.adrelid)) AS definition
FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND c.relnamespace = 'public'::regnamespace
UNION ALL
SELECT 'constraint', format('%s.%I', conrelid::regclass, conname), pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
UNION ALL
SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL
SELECT 'options', relname, array_to_string(ARRAY(SELECT unnest(reloptions) ORDER BY 1), ',') FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""

for package in ("adapters.outbound.db.aggregates", "adapters.outbound.db.tasks"):
    modules(package)


async def new_database(server_url: str, name: str) -> str:
    """Create an empty database and return its URL."""
    engine = create_async_engine(server_url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(f'DROP DATABASE IF EXISTS "{name}"'))
        await connection.execute(text(f'CREATE DATABASE "{name}"'))
    await engine.dispose()
    return make_url(server_url).set(database=name).render_as_string(hide_password=False)


async def catalogue(url: str) -> set[tuple[str, ...]]:
    """Return what PostgreSQL says of every table but Alembic's own."""
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        found = {tuple(row) for row in await connection.execute(text(CATALOGUE))}
    await engine.dispose()
    return {entry for entry in found if "alembic_version" not in entry[1]}


@pytest_asyncio.fixture(scope="session")
async def declared(server_url: str) -> set[tuple[str, ...]]:
    """The catalogue that the metadata makes."""
    url = await new_database(server_url, "declared")
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.run_sync(metadata.create_all)
    await engine.dispose()
    return await catalogue(url)


async def test_migrated_catalogue_equals_the_declared_one(server_url: str, declared: set[tuple[str, ...]]) -> None:
    url = await new_database(server_url, "migrated")

    await asyncio.to_thread(upgrade, url, DEFAULT_FOLDER)

    migrated = await catalogue(url)
    assert migrated == declared
    assert any("WHERE" in definition for kind, _, definition in migrated if kind == "index")


async def test_down_and_up_again(server_url: str, declared: set[tuple[str, ...]]) -> None:
    url = await new_database(server_url, "stairs")
    configuration = alembic_configuration(url, DEFAULT_FOLDER)
    await asyncio.to_thread(upgrade, url, DEFAULT_FOLDER)

    await asyncio.to_thread(command.downgrade, configuration, "base")

    assert await catalogue(url) == set()
    await asyncio.to_thread(upgrade, url, DEFAULT_FOLDER)
    assert await catalogue(url) == declared
