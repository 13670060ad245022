"""The public HTTP application: discovered routes behind one middleware."""

from fastapi import FastAPI
from starlette.types import ASGIApp

from ..adapters.inbound.http import json_body, problem_details
from . import identity
from .configuration import Configuration
from .graph import Graph
from .http_metrics import HttpMetrics
from .request_context import RequestContext
from .resources import Resources


def public_app(graph: Graph, resources: Resources, configuration: Configuration) -> ASGIApp:
    """Build the application with the routes of every aggregate and task in `graph`."""
    http = configuration.http
    # A redirect would answer `/orders/` without a problem document, and ask clients to send a body twice.
    app = FastAPI(title=identity.TITLE, description=identity.DESCRIPTION, redirect_slashes=False)
    problem_details.install(app)
    json_body.install(app, max_bytes=http.max_body_bytes, max_depth=http.max_body_depth)
    for aggregate in graph.aggregates:
        app.include_router(aggregate.routes(resources))
    for task in graph.tasks:
        if task.routes is not None:
            app.include_router(task.routes(resources))
    return RequestContext(app, HttpMetrics(), log_successes=http.log_successes)
