"""What a slice may be wired from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ..polling.api import Waker
from ..polling.database import Database
from ..polling.settings import PollingSettings
from ..resilience.system import Adapter

A = TypeVar("A", bound=Adapter)


class MissingAdapterError(LookupError):
    """No external system provides the adapter that a slice asks for."""


@dataclass(frozen=True, slots=True)
class Adapters:
    """The adapters of all systems, found by their class, never by a name (R-RES-OAS-X2)."""

    by_class: Mapping[type[Any], Adapter]

    def adapter(self, kind: type[A]) -> A:
        """Return the one adapter of class `kind`.

        Raises:
            MissingAdapterError: no system in `adapters/outbound/` declares it.
        """
        found = self.by_class.get(kind)
        if not isinstance(found, kind):
            raise MissingAdapterError(f"no SYSTEM in adapters/outbound/ is built with {kind.__name__}")
        return found


@dataclass(frozen=True, slots=True)
class Resources(Adapters):
    """For routes and event handlers: adapters retry reads and keyed writes within their deadline (R-RES-RE-1)."""

    database: Database
    polling: PollingSettings
    wake: Waker


@dataclass(frozen=True, slots=True)
class TaskResources(Adapters):
    """For tasks: adapters make a single attempt, because the row is the retry (R-RES-WHERE-3)."""
