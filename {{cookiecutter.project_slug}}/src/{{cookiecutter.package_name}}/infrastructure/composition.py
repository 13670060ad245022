"""The composition root: opens what the process needs, in order, and wires what discovery found.

No container: plain constructor calls, which mypy checks down to the method that a port lacks (docs/adr).
"""

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from starlette.types import ASGIApp

from ..polling.database import Database
from ..polling.poller import Lane, Poller
from ..polling.relay import OutboxRelay
from ..resilience.guard import Guard, open_guard
from ..resilience.health import HealthIndicator
from ..resilience.system import Adapter
from .configuration import Configuration, ConfiguredSystem
from .flow import subscriptions
from .graph import Graph, load_graph
from .public import public_app
from .resources import Resources, TaskResources
from .sharing import refuse_shared
from .slices import Task
from .verdicts import judge

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenSystem:
    """One external system, ready to be called."""

    name: str
    guard: Guard
    adapter: Adapter
    task_adapter: Adapter
    health: HealthIndicator
    required_for_readiness: bool


@dataclass(frozen=True, slots=True)
class Service:
    """Everything that runs, built and not yet started."""

    configuration: Configuration
    database: Database
    graph: Graph
    systems: Sequence[OpenSystem]
    pollers: Sequence[Poller]
    relay: OutboxRelay
    app: ASGIApp


class Wake:
    """Wakes the poller of a task after a commit; a process without pollers wakes nobody."""

    def __init__(self) -> None:
        self._pollers: dict[str, Poller] = {}

    def connect(self, task: str, poller: Poller) -> None:
        """Send the wake-ups of `task` to `poller`."""
        self._pollers[task] = poller

    def __call__(self, task: str) -> None:
        """Tell that a row of `task` was committed."""
        if poller := self._pollers.get(task):
            poller.wake(task)


@asynccontextmanager
async def compose(configuration: Configuration, database: Database) -> AsyncIterator[Service]:
    """Open clients, build pollers and routes; close everything in reverse order.

    Raises:
        DiscoveryError: what was found does not fit together; the message names the file and the fix.
    """
    graph = load_graph()
    async with AsyncExitStack() as stack:
        systems = [await _open(stack, system) for system in configuration.systems]
        refuse_shared({s.name: s.adapter for s in systems})
        wake = Wake()
        resources = Resources({type(s.adapter): s.adapter for s in systems}, database, configuration.polling, wake)
        durable = TaskResources({type(s.task_adapter): s.task_adapter for s in systems})
        relay = OutboxRelay(database, subscriptions(graph.tasks, resources), configuration.polling)
        pollers = _pollers(graph.tasks, systems, durable, database, configuration, wake, relay)
        yield Service(
            configuration=configuration,
            database=database,
            graph=graph,
            systems=systems,
            pollers=pollers,
            relay=relay,
            app=public_app(graph, resources, configuration),
        )


async def _open(stack: AsyncExitStack, configured: ConfiguredSystem) -> OpenSystem:
    system, settings = configured.system, configured.settings
    guard = await stack.enter_async_context(open_guard(system.name, settings))
    adapter = system.build(guard)
    health = HealthIndicator(system.name, adapter.ping, settings.health_ttl)
    stack.push_async_callback(health.close)
    return OpenSystem(
        name=system.name,
        guard=guard,
        adapter=adapter,
        task_adapter=system.build(guard.single_attempt()),
        health=health,
        required_for_readiness=settings.required_for_readiness,
    )


def _pollers(
    tasks: Sequence[Task],
    systems: Sequence[OpenSystem],
    resources: TaskResources,
    database: Database,
    configuration: Configuration,
    wake: Wake,
    relay: OutboxRelay,
) -> list[Poller]:
    """One poller per system that any task waits for: bulkhead, breaker and gate are per system."""
    pollers = []
    for system in systems:
        waiting = [task for task in tasks if task.system == system.name]
        if not waiting:
            continue
        poller = Poller(
            system=system.name,
            lanes=[Lane(task.name, task.table, task.handler(resources)) for task in waiting],
            gate=system.guard,
            judge=judge,
            database=database,
            settings=configuration.polling,
            concurrency=system.guard.settings.max_concurrent,
            event_stored=relay.wake,
        )
        for task in waiting:
            wake.connect(task.name, poller)
        pollers.append(poller)
    return pollers
