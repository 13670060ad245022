"""A small, fast loopback server in a process of its own, for the measurements.

`GET /fast` answers at once, `GET /hang` never. It serves until it is told to stop.
"""

import asyncio
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

BODY = b'{"id": "1", "status": "pending"}'
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)
BACKLOG = 512


@contextmanager
def fast_server() -> Iterator[str]:
    """Run the server and give its address."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(theirs,), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}"
    finally:
        ours.send("stop")
        process.join()
        ours.close()
        theirs.close()


def _run(pipe: Connection) -> None:
    asyncio.run(_serve(pipe))


async def _serve(pipe: Connection) -> None:
    server = await asyncio.start_server(serve_connection, "127.0.0.1", 0, backlog=BACKLOG)
    pipe.send(server.sockets[0].getsockname()[1])
    await asyncio.to_thread(pipe.recv)
    server.close()
    pipe.close()


async def serve_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests of one connection."""
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            if head.startswith(b"GET /hang"):
                await reader.read()
                return
            writer.write(ANSWER)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        return
    finally:
        writer.close()
