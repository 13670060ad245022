"""Errors as RFC 9457 problem details: the one place that knows which status an error has.

The row of an error is found along its class's MRO, so a new error gets its family's row; its `code` is the problem's
type. The roots have no row: an error outside every family is a fault of ours, a 500 that tells nothing.
"""

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import NamedTuple

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from {{ cookiecutter.package_name }}.domain.errors import (
    ConflictError,
    DomainError,
    NotFoundError,
    RuleViolationError,
)
from {{ cookiecutter.package_name }}.polling.api import (
    BacklogFullError,
    DatabaseUnavailableError,
    KeyReusedError,
    PayloadError,
    QueueError,
)
from {{ cookiecutter.package_name }}.resilience.errors import (
    DeadlineExceededError,
    ExecutionRejectedError,
    ExternalSystemError,
    PortError,
    RejectedError,
    ThrottledError,
    TimedOutError,
)

MEDIA_TYPE = "application/problem+json"
DOCUMENTED = {
    "description": "Problem details (RFC 9457)",
    "content": {
        MEDIA_TYPE: {
            "schema": {
                "type": "object",
                "required": ["type", "title", "status"],
                "properties": {
                    "type": {"type": "string"},
                    "title": {"type": "string"},
                    "status": {"type": "integer"},
                    "detail": {"type": "string"},
                },
            }
        }
    },
}
"""What the API's documentation says of every answer that is not the expected one."""

RETRY_AFTER_S = 5.0
"""For a 503 whose cause names no time: about what a database or a pod needs to come back."""

RETRY_AFTER_MAX_S = 300.0
"""A breaker that is held open by hand names no end; a client should look again now and then."""

MEANT_FOR_CLIENTS = (DomainError, KeyReusedError, PayloadError)
"""Their messages are shown; those of the others may name systems and addresses."""


class Row(NamedTuple):
    """What every error of a family looks like from outside, whatever the single case was."""

    status: int
    title: str


ROWS: Mapping[type[Exception], Row] = {
    NotFoundError: Row(404, "There is no such thing"),
    ConflictError: Row(409, "Not possible in the present state"),
    RuleViolationError: Row(422, "The request breaks a rule"),
    KeyReusedError: Row(422, "The idempotency key belongs to another request"),
    PayloadError: Row(422, "The payload cannot be stored"),
    BacklogFullError: Row(503, "Too much is waiting already"),
    DatabaseUnavailableError: Row(503, "The database does not answer"),
    ExecutionRejectedError: Row(503, "An external system is not available"),
    DeadlineExceededError: Row(504, "The time for this request is spent"),
    ExternalSystemError: Row(502, "An external system failed"),
    TimedOutError: Row(504, "An external system did not answer in time"),
    ThrottledError: Row(503, "An external system takes no more requests"),
    RejectedError: Row(409, "An external system refused the request"),
}

HTTP_ERRORS: Mapping[int, tuple[str, str]] = {
    404: ("route-not-found", "There is no such route"),
    405: ("method-not-allowed", "The route does not know this method"),
    413: ("body-too-large", "The body is too large"),
    422: ("invalid-request", "The request is not as it should be"),
}
"""Codes and titles of the framework's errors, by status; its own phrases change with the Python version."""


def row_of(kind: type[Exception]) -> Row | None:
    """Return the row of an error's class, or of the nearest class that it derives from."""
    return next((ROWS[ancestor] for ancestor in kind.__mro__ if ancestor in ROWS), None)


def problem(
    status: int,
    code: str,
    title: str,
    detail: str = "",
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Build the answer to a request that failed."""
    body: dict[str, object] = {"type": f"/problems/{code}", "title": title, "status": status}
    if detail:
        body["detail"] = detail
    return JSONResponse(body, status, headers=headers, media_type=MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Give every error of the application this one shape, in its documentation too; call it before adding routes."""
    app.router.responses["default"] = DOCUMENTED
    for family in (DomainError, QueueError, PortError):
        app.add_exception_handler(family, _known)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _from_framework)
    app.add_exception_handler(Exception, _unknown)


async def _known(_: Request, error: Exception) -> JSONResponse:
    row = row_of(type(error))
    if row is None or not isinstance(error, DomainError | QueueError | PortError):
        raise error
    detail = str(error) if isinstance(error, MEANT_FOR_CLIENTS) else ""
    return problem(row.status, error.code, row.title, detail, _retry_after(row.status, error))


def _retry_after(status: int, error: Exception) -> dict[str, str]:
    """R-RES-CB-6: who is turned away learns when to come back."""
    if status != HTTPStatus.SERVICE_UNAVAILABLE:
        return {}
    wait_s = getattr(error, "retry_after_s", None) or RETRY_AFTER_S
    return {"Retry-After": str(max(1, math.ceil(min(wait_s, RETRY_AFTER_MAX_S))))}


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    """Say where and what, and never repeat the value: it may be a secret, or what no answer can hold."""
    faults = error.errors() if isinstance(error, RequestValidationError) else ()
    detail = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
    return problem(422, *HTTP_ERRORS[422], detail)


async def _from_framework(_: Request, error: Exception) -> JSONResponse:
    """What never reached our code: an unknown route, a wrong method, a body that cannot be taken."""
    if not isinstance(error, HTTPException):
        raise error
    status = HTTPStatus(error.status_code)
    code, title = HTTP_ERRORS.get(status, (status.phrase.lower().replace(" ", "-"), status.phrase))
    detail = "" if error.detail == status.phrase else error.detail
    return problem(status, code, title, detail, error.headers)


async def _unknown(_: Request, __: Exception) -> JSONResponse:
    """Tell nothing; the server logs the traceback under the request's id."""
    return problem(500, "internal-error", "Something went wrong on our side")
