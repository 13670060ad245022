"""Two uvicorn servers in one process and one loop, on sockets that were bound before anything else began."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp

from .startup import StartError

BACKLOG = 2048


class Server(uvicorn.Server):
    """A server that leaves signals alone: they belong to the process, not to one of its servers.

    `ready` is set once it accepts connections.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept, then tell."""
        await super().startup(sockets)
        self.ready.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do nothing; with uvicorn's own handlers the last server started would go first, probes and all."""
        yield


def bind(host: str, port: int, variable: str) -> socket.socket:
    """Bind a listening socket; port 0 takes a free one.

    Raises:
        StartError: the port cannot be had; the message names the variable.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio sends at once (TCP_NODELAY) only where it is: otherwise an answer in two
    # packets waits 40 ms for the client's delayed acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise StartError(f"{host}:{port} cannot be bound ({error.strerror}): set {variable} to a free port") from error
    listener.set_inheritable(True)
    return listener


def server(app: ASGIApp, drain_timeout: float) -> Server:
    """Build a server for `app`; `drain_timeout` bounds how long open requests may take once it should exit."""
    return Server(
        uvicorn.Config(
            app,
            backlog=BACKLOG,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=max(1, round(drain_timeout)),
        )
    )
