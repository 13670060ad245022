"""The listening socket is what every answer goes out through."""

import asyncio
import socket

from {{ cookiecutter.package_name }}.infrastructure.servers import bind


async def test_connections_of_a_bound_socket_send_at_once() -> None:
    """Without TCP_NODELAY an answer in two packets waits 40 ms for the client's delayed acknowledgement."""
    seen: list[int] = []
    answered = asyncio.Event()

    def on_connection(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()
        answered.set()

    with bind("127.0.0.1", 0, "HTTP__PORT") as listener:
        async with await asyncio.start_server(on_connection, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            async with asyncio.timeout(5):
                await answered.wait()
            writer.close()
            await writer.wait_closed()

    assert seen[0] != 0
