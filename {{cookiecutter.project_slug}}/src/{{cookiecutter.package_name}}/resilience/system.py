"""How an external system declares itself: one name, its settings, and the adapter that speaks to it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from .guard import Guard
from .protected import operations
from .settings import ClientSettings


class Adapter(Protocol):
    """What every adapter has, whatever else it does."""

    async def ping(self) -> None:
        """Return if the system answers; light, changes nothing, decorated with `@probe` (R-RES-HC-3)."""


A = TypeVar("A", bound=Adapter)


@dataclass(frozen=True, slots=True)
class System(Generic[A]):
    """One external system.

    Raises:
        ValueError: name and settings' prefix are not the same word (R-RES-ISO-3, R-RES-CFG-3).
    """

    name: str
    settings: type[ClientSettings]
    adapter: Callable[[Guard], A]

    def __post_init__(self) -> None:
        wanted = f"CLIENT_{self.name.upper()}__"
        if self.settings.prefix() != wanted:
            raise ValueError(
                f"system {self.name!r}: {self.settings.__name__} has the prefix {self.settings.prefix()!r}, "
                f"set env_prefix={wanted!r} (R-RES-CFG-3)"
            )

    def build(self, guard: Guard) -> A:
        """Build the adapter around `guard`, and show its operations in the metrics from the start."""
        adapter = self.adapter(guard)
        guard.announce(operations(type(adapter)))
        return adapter
