"""A guarded bank on a real connection pool, and the question that follows every fault: is everything whole again?"""

import itertools
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from httpx_aiohttp import AiohttpTransport
from prometheus_client import REGISTRY

from {{ cookiecutter.package_name }}.resilience.errors import PortError
from {{ cookiecutter.package_name }}.resilience.guard import Guard, open_guard

from tests.unit.resilience.bank import Bank, BankSettings

QUICK: dict[str, Any] = {"connect_timeout": 0.2, "read_timeout": 0.4, "pool_timeout": 0.3, "total_timeout": 1.6}
"""The shortest times that the rules allow, so that a suite of faults takes seconds."""

ROOM: dict[str, Any] = {"max_concurrent": 5, "max_connections": 6}

_numbers = itertools.count(1)


class Guarded:
    """A bank, what protects it, and what is seen of it from outside."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard
        self.name = guard.name
        self.bank = Bank(guard)
        self.task_bank = Bank(guard.single_attempt())

    @property
    def session(self) -> aiohttp.ClientSession:
        """What lies below the guard."""
        transport = self.guard._parts.wire._line.transport
        assert isinstance(transport, AiohttpTransport)
        assert isinstance(transport.client, aiohttp.ClientSession)
        return transport.client

    @property
    def pool(self) -> aiohttp.BaseConnector:
        """The connection pool."""
        connector = self.session.connector
        assert connector is not None
        return connector

    def pool_forgets_names(self) -> None:
        """Drop resolved addresses, as time does."""
        assert isinstance(self.pool, aiohttp.TCPConnector)
        self.pool.clear_dns_cache()

    def metric(self, name: str, **labels: str) -> float:
        """Return a sample's value."""
        value = REGISTRY.get_sample_value(name, {"system": self.name, **labels})
        assert value is not None, f"no sample {name} {labels}"
        return value

    def attempts(self, outcome: str) -> float:
        """Return how many attempts ended so."""
        return self.metric("outbound_attempt_duration_seconds_count", outcome=outcome)

    def assert_whole(self) -> None:
        """No slot of the pool and no permit of the bulkhead is missing, and the gauge says so, too."""
        assert len(self.pool._acquired) == 0
        assert not any(self.pool._waiters.values())
        assert self.guard._parts.bulkhead.free == self.guard.settings.max_concurrent
        assert self.metric("outbound_bulkhead_in_use") == 0


@asynccontextmanager
async def open_guarded(address: str, **changes: Any) -> AsyncIterator[Guarded]:
    """Open a guarded bank at `address`."""
    settings = BankSettings(base_url=address, **{**QUICK, **ROOM, **changes})
    async with open_guard(f"real{next(_numbers)}", settings) as guard:
        yield Guarded(guard)


def told(caplog: pytest.LogCaptureFixture, event: str, error: PortError) -> bool:
    """Whether a warning with this event names the error's code."""
    return any(
        record.getMessage() == event and record.levelno >= logging.WARNING and record.__dict__.get("code") == error.code
        for record in caplog.records
    )
