"""Keeps a request body within a size, while it streams in and whether or not its length was announced."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from {{ cookiecutter.package_name }}.adapters.inbound.http.problem_details import HTTP_ERRORS, problem

TOO_LARGE = 413


class BodyLimit:
    """ASGI middleware that answers 413 once a body passes `max_bytes`; install it inside the error handling.

    Starlette's own limiter answers in plain text where the application did not read the body.
    """

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._detail = f"at most {max_bytes} bytes are taken"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, counting what it brings."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if _announced_bytes(scope) > self._max_bytes:
            await problem(TOO_LARGE, *HTTP_ERRORS[TOO_LARGE], self._detail)(scope, receive, send)
            return
        received = 0

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._max_bytes:
                raise HTTPException(TOO_LARGE, self._detail)
            return message

        await self._app(scope, receive_counted, send)


def _announced_bytes(scope: Scope) -> int:
    """Return the announced length, or 0 where there is none."""
    return next((int(value) for name, value in scope["headers"] if name == b"content-length" and value.isdigit()), 0)
