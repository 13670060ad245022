"""Every error has one shape, and no error of ours is without a row."""

import importlib
import math
import pkgutil
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
from fastapi import FastAPI

from {{ cookiecutter.package_name }} import domain
from {{ cookiecutter.package_name }}.adapters.inbound.http import problem_details
from {{ cookiecutter.package_name }}.domain.errors import ConflictError, DomainError, NotFoundError
from {{ cookiecutter.package_name }}.polling.api import (
    BacklogFullError,
    DatabaseUnavailableError,
    KeyReusedError,
    PayloadError,
    QueueError,
)
from {{ cookiecutter.package_name }}.resilience.errors import (
    BadResponseError,
    BulkheadFullError,
    CircuitOpenError,
    DeadlineExceededError,
    PortError,
    RejectedError,
    TimedOutError,
)

ROOTS: tuple[type[Exception], ...] = (DomainError, QueueError, PortError)


def ours() -> Iterator[type[Exception]]:
    """Find every error below the roots, the team's own in `domain` included."""
    for module in pkgutil.walk_packages(domain.__path__, f"{domain.__name__}."):
        importlib.import_module(module.name)
    found = list(ROOTS)
    for kind in found:
        found += kind.__subclasses__()
    package = domain.__name__.partition(".")[0]
    return (kind for kind in found if kind not in ROOTS and kind.__module__.startswith(f"{package}."))


ERRORS = sorted(set(ours()), key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_every_error_has_a_row_a_code_and_a_docstring(kind: type[Exception]) -> None:
    assert problem_details.row_of(kind) is not None
    assert isinstance(getattr(kind, "code", None), str)
    assert kind.__doc__


def test_no_two_errors_share_a_code() -> None:
    codes = [getattr(kind, "code", None) for kind in ERRORS]

    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("root", ROOTS)
def test_a_root_has_no_row(root: type[Exception]) -> None:
    assert problem_details.row_of(root) is None


@pytest.fixture
def app() -> FastAPI:
    app = FastAPI()
    problem_details.install(app)
    return app


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
        yield client


async def answer_to(error: Exception, app: FastAPI, client: httpx.AsyncClient) -> httpx.Response:
    @app.get("/failing")
    async def failing() -> None:
        raise error

    response = await client.get("/failing")
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["status"] == response.status_code
    return response


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NotFoundError(), 404),
        (ConflictError(), 409),
        (KeyReusedError(), 422),
        (PayloadError(), 422),
        (BacklogFullError(retry_after_s=1.0), 503),
        (DatabaseUnavailableError(retry_after_s=1.0), 503),
        (CircuitOpenError("sber", retry_after_s=30.0), 503),
        (BulkheadFullError("sber"), 503),
        (DeadlineExceededError("sber"), 504),
        (TimedOutError("sber"), 504),
        (BadResponseError("sber"), 502),
        (RejectedError("sber", 422), 409),
        (DomainError(), 500),
        (RuntimeError(), 500),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
async def test_an_error_is_answered_with_its_status(
    error: Exception, status: int, app: FastAPI, client: httpx.AsyncClient
) -> None:
    response = await answer_to(error, app, client)

    assert response.status_code == status
    assert ("Retry-After" in response.headers) == (status == 503)


@pytest.mark.parametrize(("wait_s", "header"), [(0.01, "1"), (12.3, "13"), (math.inf, "300")])
async def test_res_cb_6_an_open_circuit_says_when_to_come_back(
    wait_s: float, header: str, app: FastAPI, client: httpx.AsyncClient
) -> None:
    response = await answer_to(CircuitOpenError("sber", retry_after_s=wait_s), app, client)

    assert response.headers["Retry-After"] == header


async def test_only_the_domain_speaks_to_the_client(app: FastAPI, client: httpx.AsyncClient) -> None:
    response = await answer_to(ConflictError("it is shipped"), app, client)

    assert response.json() == {
        "type": "/problems/conflict",
        "title": "Not possible in the present state",
        "status": 409,
        "detail": "it is shipped",
    }


@pytest.mark.parametrize("error", [TimedOutError("sber", "http://10.0.0.7 timed out"), RuntimeError("secret")])
async def test_other_errors_tell_nothing_of_what_happened(
    error: Exception, app: FastAPI, client: httpx.AsyncClient
) -> None:
    response = await answer_to(error, app, client)

    assert "detail" not in response.json()


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/nowhere", 404), ("DELETE", "/failing", 405)])
async def test_the_frameworks_errors_take_the_same_shape(
    method: str, path: str, status: int, app: FastAPI, client: httpx.AsyncClient
) -> None:
    await answer_to(NotFoundError(), app, client)

    response = await client.request(method, path)

    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
