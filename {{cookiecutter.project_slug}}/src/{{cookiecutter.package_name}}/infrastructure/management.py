"""The management port: probes, metrics, version. Never public (docs/operations.md)."""

from collections.abc import Awaitable, Callable
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .readiness import Readiness

Endpoint = Callable[[Request], Awaitable[Response]]


def management_app(readiness: Readiness, info: dict[str, Any]) -> Starlette:
    """Build the application of the management port."""

    async def live(_: Request) -> Response:
        # No dependency: a restart heals neither a database nor an external system (R-RES-HC-4).
        return JSONResponse({"status": "live"})

    async def ready(_: Request) -> Response:
        report = await readiness.report()
        return JSONResponse(report, 200 if report["status"] == "ready" else 503)

    async def metrics(_: Request) -> Response:
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)

    async def about(_: Request) -> Response:
        return JSONResponse(info)

    paths: dict[str, Endpoint] = {
        "/health/live": live,
        "/health/ready": ready,
        "/metrics": metrics,
        "/info": about,
    }
    return Starlette(routes=[Route(path, endpoint) for path, endpoint in paths.items()])
