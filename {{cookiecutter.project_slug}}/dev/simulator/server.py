"""The simulator's server: one process for all systems of the project."""

import asyncio
import signal
import socket
from collections.abc import Iterable
from pathlib import Path

from aiohttp import web

from .control import Control
from .memory import Memory
from .provider import Provider
from .system import SimulatedSystem

SHUTDOWN_S = 0.1
"""What is still hanging then is cut off: it was told to hang."""


def simulator(systems: Iterable[str], memory: Path | None = None) -> web.Application:
    """Build the application that plays `systems`; with a file it goes on from where the last one was."""
    played = {name: SimulatedSystem(name) for name in systems}
    if memory:
        Memory(memory).recall(played)
    app = web.Application()
    app.add_routes(Control(played).routes())
    app.add_routes(Provider(played).routes())
    return app


async def serve(systems: Iterable[str], listener: socket.socket, memory: Path | None = None) -> None:
    """Serve until SIGTERM or SIGINT; prints the address, once it answers there, as a line of its own."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    runner = web.AppRunner(simulator(systems, memory), access_log=None, shutdown_timeout=SHUTDOWN_S)
    await runner.setup()
    try:
        await web.SockSite(runner, listener).start()
        host, port = listener.getsockname()[:2]
        print(f"http://{host}:{port}", flush=True)
        await stop.wait()
    finally:
        await runner.cleanup()
