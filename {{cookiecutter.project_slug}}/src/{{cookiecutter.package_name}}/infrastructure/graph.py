"""What the service consists of, found by discovery and checked to fit together."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..resilience.system import System
from .discovery import DiscoveryError, discover
from .flow import check_flow
from .slices import Aggregate, Task

NOT_A_SYSTEM = frozenset({"db"})
"""The one folder in `adapters/outbound/` that is no external system: the database's."""


@dataclass(frozen=True, slots=True)
class Graph:
    """All aggregates and tasks, sorted by name."""

    aggregates: Sequence[Aggregate]
    tasks: Sequence[Task]


def load_systems() -> list[System[Any]]:
    """Find the declared external systems (R-RES-ISO-3: one name, everywhere).

    Raises:
        DiscoveryError: a folder declares no system, or two declare the same name.
    """
    systems: list[System[Any]] = discover("adapters.outbound", "SYSTEM", System, skip=NOT_A_SYSTEM)
    _unique("adapters/outbound: two folders declare the system", (s.name for s in systems))
    return systems


def load_graph() -> Graph:
    """Find aggregates and tasks and check every edge between them.

    Raises:
        DiscoveryError: a name is declared twice, or a task names a system, an aggregate or an event that is not there.
    """
    systems = {system.name for system in load_systems()}
    aggregates = discover("wiring.aggregates", "AGGREGATE", Aggregate)
    tasks = discover("wiring.tasks", "TASK", Task)
    _unique("wiring/aggregates: two modules declare the aggregate", (a.name for a in aggregates))
    _unique("wiring/tasks: two modules declare the task", (t.name for t in tasks))
    names = {aggregate.name for aggregate in aggregates}
    for task in tasks:
        if task.system not in systems:
            known = ", ".join(sorted(systems))
            raise DiscoveryError(
                f"wiring/tasks/{task.name}.py: waits for the system {task.system!r}, "
                f"which no folder in adapters/outbound/ declares (there are: {known})"
            )
        if task.table.info["aggregate"] not in names:
            raise DiscoveryError(
                f"wiring/tasks/{task.name}.py: belongs to the aggregate {task.table.info['aggregate']!r}, "
                "which no module in wiring/aggregates/ declares"
            )
    check_flow(tasks)
    return Graph(aggregates, tasks)


def _unique(complaint: str, names: Iterable[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise DiscoveryError(f"{complaint} {name!r}")
