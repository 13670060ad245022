"""A raw HTTP/1.1 server on loopback that misbehaves on demand."""

import asyncio
import gzip
import socket
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

BODY = b'{"id": "p1", "owner": "Ada", "balance": 7}'
GOOD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)
DRIP_S = 0.02
BOMB_MIB = 64

Answer = Callable[[asyncio.StreamWriter], Awaitable[bool]]
"""Writes what it likes; true keeps the connection."""


class Misbehaving:
    """Answers every request in the way that `answer` says; `reads` false drops connections before a request is read."""

    def __init__(self) -> None:
        self.address = ""
        self.requests: list[bytes] = []
        self.connections = 0
        self.reads = True
        self.answer: Answer = good
        self._read = asyncio.Condition()
        self._writers: set[asyncio.StreamWriter] = set()

    def heal(self) -> None:
        """Answer well from now on, and end what hangs."""
        self.answer, self.reads = good, True
        for writer in self._writers:
            writer.transport.abort()

    async def has_read(self, requests: int) -> None:
        """Wait until so many requests were read."""
        async with self._read:
            await self._read.wait_for(lambda: len(self.requests) >= requests)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one connection."""
        self.connections += 1
        self._writers.add(writer)
        try:
            await self._converse(reader, writer)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            return
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while self.reads:
            head = await reader.readuntil(b"\r\n\r\n")
            for line in head.lower().split(b"\r\n"):
                if line.startswith(b"content-length:"):
                    await reader.readexactly(int(line.partition(b":")[2]))
            self.requests.append(head)
            async with self._read:
                self._read.notify_all()
            if not await self.answer(writer):
                return


@asynccontextmanager
async def misbehaving() -> AsyncIterator[Misbehaving]:
    """Serve on a free port."""
    state = Misbehaving()
    server = await asyncio.start_server(state.serve, "127.0.0.1", 0, backlog=256)
    state.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield state
    finally:
        server.close()
        state.heal()
        await asyncio.sleep(0)


@asynccontextmanager
async def slow_to_accept() -> AsyncIterator[str]:
    """Give the address of a port whose queue is full: the kernel lets connection attempts hang."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        fillers = [socket.socket() for _ in range(4)]
        try:
            for filler in fillers:
                filler.setblocking(False)
                with suppress(BlockingIOError):
                    filler.connect(listener.getsockname())
            yield "http://127.0.0.1:{1}".format(*listener.getsockname())
        finally:
            for filler in fillers:
                filler.close()


def refused_address() -> str:
    """Return an address where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return "http://127.0.0.1:{1}".format(*free.getsockname())


def status(code: int, *headers: str) -> Answer:
    """Answer with a status."""
    lines = [f"HTTP/1.1 {code} X", "Content-Length: 2", *headers, "", "{}"]

    async def answer(writer: asyncio.StreamWriter) -> bool:
        writer.write("\r\n".join(lines).encode())
        await writer.drain()
        return True

    return answer


def raw(content: bytes, *, keep: bool = False) -> Answer:
    """Answer with these bytes and, mostly, the end of the connection."""

    async def answer(writer: asyncio.StreamWriter) -> bool:
        writer.write(content)
        await writer.drain()
        return keep

    return answer


async def good(writer: asyncio.StreamWriter) -> bool:
    """Answer well."""
    writer.write(GOOD)
    await writer.drain()
    return True


async def hang(_: asyncio.StreamWriter) -> bool:
    """Read the request and never answer."""
    await asyncio.sleep(3600)
    return False


async def drip(writer: asyncio.StreamWriter) -> bool:
    """Send the answer byte by byte, each well within the read timeout."""
    writer.write(GOOD.partition(b"\r\n\r\n")[0].replace(b"42", b"100000") + b"\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(DRIP_S)


async def drip_headers(writer: asyncio.StreamWriter) -> bool:
    """Send one header after another, each well within the read timeout."""
    writer.write(b"HTTP/1.1 200 OK\r\n")
    number = 0
    while True:
        writer.write(b"X-%d: y\r\n" % number)
        await writer.drain()
        number += 1
        await asyncio.sleep(DRIP_S * 5)


async def endless_headers(writer: asyncio.StreamWriter) -> bool:
    """Send headers as fast as they are taken."""
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"X-Filler: %s\r\n" % (b"4111-1111" * 100))
        await writer.drain()


async def disconnect_after(_: asyncio.StreamWriter) -> bool:
    """Close the connection once the request was read."""
    return False


async def reset_after(writer: asyncio.StreamWriter) -> bool:
    """Reset the connection once the request was read."""
    writer.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    writer.transport.abort()
    return False


async def endless_body(writer: asyncio.StreamWriter) -> bool:
    """Send a body without end."""
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"10000\r\n" + b" " * 65_536 + b"\r\n")
        await writer.drain()


def _bomb(*, twice: bool) -> bytes:
    squeezer = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = b"\0" * 2**20
    packed = b"".join([squeezer.compress(zeros) for _ in range(BOMB_MIB)]) + squeezer.flush()
    return gzip.compress(packed, 9) if twice else packed


def gzip_bomb(*, twice: bool) -> Answer:
    """Answer with little that unpacks to much."""
    packed = _bomb(twice=twice)
    encoding = b"gzip, gzip" if twice else b"gzip"
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n" % (encoding, len(packed))
    return raw(head + packed, keep=True)
