"""The health of one system, as last seen (R-RES-HC-1, R-RES-HC-2).

Somebody refreshes it on a clock of his own; whoever asks gets what is known and causes no probe (R-RES-HC-X1).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Literal

from .errors import PortError

logger = logging.getLogger(__name__)

Status = Literal["up", "down", "unknown"]

FRESH_SHARE = 0.75
"""Of the ttl: a timer that is set to the ttl, with its jitter, must find the result old enough to renew."""


class HealthIndicator:
    """Probes one system at most once per ttl, and never twice at the same time."""

    def __init__(self, name: str, ping: Callable[[], Awaitable[None]], ttl: float) -> None:
        self.name = name
        self._ping = ping
        self._fresh_s = ttl * FRESH_SHARE
        self._status: Status = "unknown"
        self._checked_at: datetime | None = None
        self._fresh_until = 0.0
        self._probing: asyncio.Task[None] | None = None

    @property
    def status(self) -> Status:
        """What the last probe saw; `unknown` before the first."""
        return self._status

    @property
    def checked_at(self) -> datetime | None:
        """When the last probe ended, aware UTC; None before the first."""
        return self._checked_at

    async def refresh(self) -> None:
        """Probe the system unless the last result is fresh; callers that meet share one probe.

        Cancellation: ends the wait, not the probe that others wait for.
        """
        if self._probing is None or self._probing.done():
            if self._checked_at is not None and asyncio.get_running_loop().time() < self._fresh_until:
                return
            self._probing = asyncio.create_task(self._probe(), name=f"probe {self.name}")
        await asyncio.shield(self._probing)

    async def close(self) -> None:
        """End a probe that is under way."""
        if self._probing is not None and not self._probing.done():
            self._probing.cancel()
            await asyncio.wait([self._probing])

    async def _probe(self) -> None:
        try:
            await self._ping()
        except PortError as error:
            self._note("down", error.code, error.detail)
        except Exception:
            # A defect of the adapter's ping must not end the timer that calls this.
            logger.exception("health.probe_failed", extra={"system": self.name})
            self._note("down", "defect", "")
        else:
            self._note("up", "", "")

    def _note(self, status: Status, code: str, detail: str) -> None:
        if status != self._status:
            level = logging.WARNING if status == "down" else logging.INFO
            logger.log(
                level,
                "health.changed",
                extra={"system": self.name, "old": self._status, "new": status, "code": code, "detail": detail},
            )
        self._status = status
        self._checked_at = datetime.now(UTC)
        self._fresh_until = asyncio.get_running_loop().time() + self._fresh_s
