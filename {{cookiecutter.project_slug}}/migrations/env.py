"""Alembic's environment: one branch per aggregate and task, one upgrade at a time, any number of callers.

The address comes from the caller (`infrastructure/migrate.py`) or from DATABASE_URL, never from a file.
"""

import asyncio
import os

from alembic import context
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine

from {{ cookiecutter.package_name }}.infrastructure.discovery import modules
from {{ cookiecutter.package_name }}.polling.tables import metadata

LOCK = 0x7265736C  # any constant that no other lock of this database uses
LOCK_TIMEOUT_S = 10
"""A change of schema that waits for a lock makes everybody behind it wait, too: better to fail and try again."""

# Importing is declaring: every table of these packages is on the metadata afterwards.
for package in ("adapters.outbound.db.aggregates", "adapters.outbound.db.tasks"):
    modules(package)


def migrate(connection: Connection) -> None:
    """Run the migrations, each in its own transaction, under a lock that concurrent callers wait for."""
    # A session lock: it must outlive the transactions, so migrations need a direct connection, not a transaction pool.
    connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": LOCK})
    try:
        connection.execute(text(f"SET lock_timeout = '{LOCK_TIMEOUT_S}s'"))
        connection.commit()
        context.configure(connection=connection, target_metadata=metadata, transaction_per_migration=True)
        with context.begin_transaction():
            context.run_migrations()
    finally:
        connection.rollback()
        connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": LOCK})
        connection.commit()


async def migrate_online() -> None:
    """Open one connection and migrate over it."""
    engine = create_async_engine(context.config.attributes.get("database_url") or os.environ["DATABASE_URL"])
    try:
        async with engine.connect() as connection:
            await connection.run_sync(migrate)
    finally:
        await engine.dispose()


def migrate_offline() -> None:
    """Print the statements instead of running them (`alembic upgrade heads --sql`)."""
    context.configure(dialect_name="postgresql", target_metadata=metadata, literal_binds=True)
    with context.begin_transaction():
        context.run_migrations()


if context.is_offline_mode():
    migrate_offline()
else:
    asyncio.run(migrate_online())
