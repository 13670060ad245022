"""Stands between the service and PostgreSQL, and takes it away on demand.

PostgreSQL listens on a socket in a folder; the proxy listens on a socket of the same name in a folder of its own.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

SOCKET = ".s.PGSQL.5432"
CHUNK_BYTES = 65_536


class DatabaseProxy:
    """Passes bytes through until it is told to `refuse` or to `hang`; `heal` makes it pass again."""

    def __init__(self, upstream: Path, folder: Path) -> None:
        self._upstream = upstream
        self._socket = folder / SOCKET
        self._server: asyncio.Server | None = None
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._connections: set[asyncio.Task[None]] = set()
        self.accepted = 0
        self.held_back = 0
        self.url = f"postgresql+asyncpg://postgres@/postgres?host={folder}"

    async def listen(self) -> None:
        """Begin to accept."""
        self._server = await asyncio.start_unix_server(self._serve, self._socket)

    async def refuse(self) -> None:
        """End every connection and accept no new one, as a database that is down."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self._socket.unlink(missing_ok=True)
        for connection in list(self._connections):
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def hang(self) -> None:
        """Keep connections open and accept new ones, and let nothing through."""
        self._flowing.clear()

    async def heal(self) -> None:
        """Be a healthy database again."""
        self._flowing.set()
        if self._server is None:
            await self.listen()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None:
            return
        self.accepted += 1
        self._connections.add(task)
        try:
            upstream_reader, upstream_writer = await asyncio.open_unix_connection(self._upstream)
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._pass(reader, upstream_writer))
                    group.create_task(self._pass(upstream_reader, writer))
            finally:
                upstream_writer.close()
        except* (OSError, asyncio.CancelledError):
            pass  # One side went away, or `refuse` ends the connection: nobody waits for it.
        finally:
            writer.close()
            self._connections.discard(task)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(CHUNK_BYTES):
            if not self._flowing.is_set():
                self.held_back += 1
            await self._flowing.wait()
            writer.write(data)
            await writer.drain()
        raise ConnectionResetError


@asynccontextmanager
async def proxied(database_url: str) -> AsyncIterator[DatabaseProxy]:
    """Put a proxy in front of the server behind `database_url`, which names the folder of its socket."""
    (upstream,) = parse_qs(urlsplit(database_url).query)["host"]
    with tempfile.TemporaryDirectory(prefix="db") as folder:
        proxy = DatabaseProxy(Path(upstream) / SOCKET, Path(folder))
        proxy.url = database_url.replace(upstream, folder)
        await proxy.listen()
        try:
            yield proxy
        finally:
            await proxy.heal()
            await proxy.refuse()
