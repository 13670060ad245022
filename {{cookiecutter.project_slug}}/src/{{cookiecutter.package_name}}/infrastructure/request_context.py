"""What every request gets: an id, its time budget, its metrics and, if it failed, a line in the log."""

import logging
import re
import time
import uuid

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..resilience.deadline import BUDGET_HEADER, budget, parse_budget
from .http_metrics import HttpMetrics

logger = logging.getLogger(__name__)

REQUEST_ID = b"x-request-id"
SAFE_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
"""An id from outside goes into logs and answers: short, and nothing that could break either."""

CLIENT_ERROR = 400
CLIENT_CLOSED = 499
SERVER_ERROR = 500


class RequestContext:
    """Outermost ASGI middleware of the public application.

    The caller's time budget (R-RES-TO-3) caps every outbound call that the request makes.
    """

    def __init__(self, app: ASGIApp, metrics: HttpMetrics, *, log_successes: bool) -> None:
        self._app = app
        self._metrics = metrics
        self._log_successes = log_successes
        self._budget_header = BUDGET_HEADER.lower().encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        request_id = _request_id(headers.get(REQUEST_ID, b""))
        started = time.perf_counter()
        method = self._metrics.begin(scope["method"])
        status = CLIENT_CLOSED

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (REQUEST_ID, request_id.encode())]
            await send(message)

        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            with budget(parse_budget(headers.get(self._budget_header, b"").decode("latin-1"))):
                await self._app(scope, receive, send_with_id)
        except Exception:
            status = SERVER_ERROR
            raise
        finally:
            duration_s = time.perf_counter() - started
            route = getattr(scope.get("route"), "path", "")
            self._metrics.end(method, route, status, duration_s)
            if self._log_successes or status >= CLIENT_ERROR:
                logger.log(
                    logging.ERROR if status >= SERVER_ERROR else logging.INFO,
                    "http.request_completed",
                    extra={"method": method, "route": route, "status": status, "duration_s": round(duration_s, 6)},
                )
            structlog.contextvars.unbind_contextvars("request_id")


def _request_id(given: bytes) -> str:
    return given.decode("ascii") if SAFE_ID.fullmatch(given) else uuid.uuid4().hex
