"""The process: servers, pollers, relay and ticks, and the order in which they start and stop.

The first SIGTERM or SIGINT drains within `POLLING__SHUTDOWN_GRACE` and `HTTP__DRAIN_TIMEOUT`; a second ends at once.
"""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass

from ..polling.database import open_database
from ..polling.stats import TaskStats
from .composition import Service, compose
from .configuration import Configuration
from .garbage import spare_startup
from .info import build_info
from .lifecycle import Lifecycle
from .loop_lag import watch_loop_lag
from .management import management_app
from .readiness import Readiness
from .servers import bind, server
from .ticks import ticks

logger = logging.getLogger(__name__)

FORCED_EXIT = 130
MANAGEMENT_DRAIN_S = 1.0


@dataclass(frozen=True, slots=True)
class Sockets:
    """The listening sockets, bound before anything else begins: a taken port must cost nothing."""

    management: socket.socket
    public: socket.socket | None


@contextmanager
def bind_sockets(configuration: Configuration) -> Iterator[Sockets]:
    """Bind what the role serves; whatever happens then, the ports are free again.

    Raises:
        StartError: a port is taken.
    """
    http, is_worker = configuration.http, configuration.process.role == "worker"
    with ExitStack() as stack:
        management = stack.enter_context(bind(http.management_host, http.management_port, "HTTP__MANAGEMENT_PORT"))
        public = None if is_worker else stack.enter_context(bind(http.host, http.port, "HTTP__PORT"))
        yield Sockets(management, public)


async def run(configuration: Configuration, sockets: Sockets) -> None:
    """Run the service until a signal comes; returns after a clean drain."""
    stop = _signals()
    url = configuration.process.database_url.get_secret_value()
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_database(url, configuration.database))
        service = await stack.enter_async_context(compose(configuration, database))
        await _Running(service, sockets).until(stop)
    logger.info("process.stopped")


def _signals() -> asyncio.Event:
    stop = asyncio.Event()

    def on_signal() -> None:
        if stop.is_set():
            logger.warning("process.stop_forced")
            os._exit(FORCED_EXIT)
        stop.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal)
    return stop


class _Running:
    """One run of the service, from started servers to the last outcome written."""

    def __init__(self, service: Service, sockets: Sockets) -> None:
        self._service = service
        self._configuration = service.configuration
        self._lifecycle = Lifecycle()
        self._sockets = sockets
        self._works = self._configuration.process.role != "api"

    async def until(self, stop: asyncio.Event) -> None:
        """Start everything, wait for `stop`, drain in order."""
        http = self._configuration.http
        readiness = Readiness(self._service.database, self._service.systems, self._lifecycle, http.readiness_timeout)
        management = server(management_app(readiness, build_info(self._configuration)), MANAGEMENT_DRAIN_S)
        public = server(self._service.app, http.drain_timeout) if self._sockets.public else None
        async with asyncio.TaskGroup() as group:
            background = [group.create_task(watch_loop_lag())]
            serving_management = group.create_task(management.serve(sockets=[self._sockets.management]))
            serving_public = (
                group.create_task(public.serve(sockets=[self._sockets.public]))
                if public and self._sockets.public
                else None
            )
            pollers = [group.create_task(p.run()) for p in self._service.pollers] if self._works else []
            relay = group.create_task(self._service.relay.run()) if self._works else None
            stats = TaskStats(
                self._service.database, [task.table for task in self._service.graph.tasks], self._configuration.polling
            )
            background.append(group.create_task(stats.run()))
            scheduler = ticks(self._service, works=self._works)
            scheduler.start()
            for serving in filter(None, (management, public)):
                await serving.ready.wait()
            spare_startup()
            self._lifecycle.started = True
            logger.info("process.started", extra=self._addresses())

            await stop.wait()

            self._lifecycle.drain()
            logger.info("process.draining")
            scheduler.shutdown(wait=False)
            for poller in self._service.pollers:
                poller.stop_claiming()
            await asyncio.sleep(http.drain_delay)
            if public and serving_public:
                public.should_exit = True
                await serving_public
            await asyncio.gather(*pollers)
            if relay:
                self._service.relay.stop()
                await _within(relay, self._configuration.polling.shutdown_grace)
            for task in background:
                task.cancel()
            management.should_exit = True
            await serving_management

    def _addresses(self) -> dict[str, object]:
        public = self._sockets.public
        return {
            "role": self._configuration.process.role,
            "management_port": self._sockets.management.getsockname()[1],
            "port": public.getsockname()[1] if public else None,
        }


async def _within(relay: asyncio.Task[None], grace_s: float) -> None:
    """Let the relay hand on what is there; what it does not manage stays in the outbox for the next process."""
    _, late = await asyncio.wait({relay}, timeout=grace_s)
    if late:
        logger.warning("outbox.left_unpublished")
        relay.cancel()
        await asyncio.wait({relay})
