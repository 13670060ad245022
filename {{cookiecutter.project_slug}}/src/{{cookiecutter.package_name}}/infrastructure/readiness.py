"""Whether this process should get traffic, and how the systems it depends on look from here."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from ..polling.api import DatabaseUnavailableError
from ..polling.database import Database
from .composition import OpenSystem
from .lifecycle import Lifecycle

logger = logging.getLogger(__name__)


class Readiness:
    """Shows the database, asked now, and every system, as last probed (R-RES-HC-4, R-RES-HC-X1)."""

    def __init__(
        self, database: Database, systems: Sequence[OpenSystem], lifecycle: Lifecycle, timeout_s: float
    ) -> None:
        self._database = database
        self._systems = systems
        self._lifecycle = lifecycle
        self._timeout_s = timeout_s

    async def report(self) -> dict[str, Any]:
        """Return the body of `/health/ready`; `status` is `ready` or `not_ready`."""
        up = await self._database_answers()
        needed = all(s.health.status == "up" for s in self._systems if s.required_for_readiness)
        ready = self._lifecycle.accepting and up and needed
        return {
            "status": "ready" if ready else "not_ready",
            "database": "up" if up else "down",
            "systems": {
                s.name: {
                    "status": s.health.status,
                    "checked_at": s.health.checked_at.isoformat() if s.health.checked_at else None,
                }
                for s in self._systems
            },
        }

    async def _database_answers(self) -> bool:
        try:
            async with asyncio.timeout(self._timeout_s):
                await self._database.ping()
        except (DatabaseUnavailableError, TimeoutError) as error:
            logger.warning("database.unavailable", extra={"error": type(error).__name__})
            return False
        return True
