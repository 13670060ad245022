"""Which errors of driver, pool and operating system mean that the database cannot be used now."""

import asyncpg
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

RETRY_AFTER_S = 2.0
"""About what a restart or a fail-over needs at least."""

CLASSES = ("08", "40", "53", "57", "58")
"""SQLSTATE classes: connection, rollback (deadlock, serialization), resources, operator intervention, system error."""

STATES = frozenset({"25006", "55P03"})
"""Read-only (an old primary after a fail-over) and a lock that was not available."""

DATABASE_ERRORS = (
    SQLAlchemyError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the protocol's state when a connection died at a bad moment
    OSError,
)
"""Everything a database call may raise. A timeout is an OSError."""


def is_unavailable(error: BaseException) -> bool:
    """Say whether the same statement may work later, unchanged."""
    if isinstance(error, OSError | PoolTimeoutError):
        return True
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or _driver_says(error.orig)
    return _driver_says(error)


def _driver_says(error: BaseException | None) -> bool:
    """Follow the chain to the driver's own error: SQLAlchemy's adapter wraps it."""
    while error is not None:
        if isinstance(error, OSError | asyncpg.InvalidCachedStatementError | asyncpg.InternalClientError):
            return True
        state = getattr(error, "sqlstate", None)
        if isinstance(state, str):
            return state.startswith(CLASSES) or state in STATES
        # The driver's complaint about a value is an InterfaceError, too.
        if isinstance(error, asyncpg.InterfaceError) and not isinstance(error, ValueError):
            return True
        error = error.__cause__
    return False
