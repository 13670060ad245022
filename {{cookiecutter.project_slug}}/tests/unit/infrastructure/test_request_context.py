"""Every request has an id, a budget and a count; what failed has a line."""

import logging

import httpx
import pytest
from prometheus_client import REGISTRY
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route

from {{ cookiecutter.package_name }}.infrastructure.http_metrics import HttpMetrics
from {{ cookiecutter.package_name }}.infrastructure.request_context import RequestContext
from {{ cookiecutter.package_name }}.resilience.deadline import BUDGET_HEADER, remaining


async def answer(_: Request) -> JSONResponse:
    return JSONResponse({"remaining": remaining()})


async def crash(_: Request) -> JSONResponse:
    raise ZeroDivisionError


@pytest.fixture
def client() -> httpx.AsyncClient:
    app = Starlette(routes=[Mount("/v1", routes=[Route("/things/{thing}", answer)]), Route("/crash", crash)])
    transport = httpx.ASGITransport(RequestContext(app, HttpMetrics(), log_successes=False), raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://service")


def counted(route: str, status: int, method: str = "GET") -> float:
    labels = {"http_request_method": method, "http_route": route, "http_response_status_code": str(status)}
    return REGISTRY.get_sample_value("http_server_request_duration_seconds_count", labels) or 0.0


async def test_an_id_from_outside_comes_back(client: httpx.AsyncClient) -> None:
    response = await client.get("/v1/things/1", headers={"X-Request-Id": "abc-1"})

    assert response.headers["X-Request-Id"] == "abc-1"


@pytest.mark.parametrize(
    "given",
    ["", "a b", "x" * 65, 'a"b', "\u00e9"],
    ids=["none", "space", "long", "quote", "latin"],
)
async def test_an_unsafe_id_is_replaced(client: httpx.AsyncClient, given: str) -> None:
    response = await client.get("/v1/things/1", headers={b"X-Request-Id": given.encode()})

    assert len(response.headers["X-Request-Id"]) == 32


async def test_res_to_3_the_callers_budget_reaches_the_handler(client: httpx.AsyncClient) -> None:
    response = await client.get("/v1/things/1", headers={BUDGET_HEADER: "2500"})

    assert 0 < response.json()["remaining"] <= 2.5


async def test_without_a_budget_there_is_no_limit_from_outside(client: httpx.AsyncClient) -> None:
    assert (await client.get("/v1/things/1")).json() == {"remaining": None}


async def test_unknown_paths_share_one_label(client: httpx.AsyncClient) -> None:
    before = counted("", 404)

    for path in ("/nothing", "/nothing/else"):
        await client.get(path)

    assert counted("", 404) - before == 2


async def test_a_crash_is_counted_and_logged_as_500(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    response = await client.get("/crash")

    (record,) = [r for r in caplog.records if r.getMessage() == "http.request_completed"]
    assert response.status_code == 500
    assert (record.levelname, vars(record)["status"]) == ("ERROR", 500)


async def test_a_method_that_a_client_invents_makes_no_series(client: httpx.AsyncClient) -> None:
    await client.request("EVIL", "/nothing")

    assert counted("", 404, "EVIL") == 0
    assert counted("", 404, "_OTHER") > 0


@pytest.mark.parametrize(
    ("log_successes", "events"), [(False, []), (True, ["http.request_completed"])], ids=["off", "on"]
)
async def test_a_success_has_a_line_only_where_the_setting_says_so(
    log_successes: bool, events: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    app = RequestContext(Starlette(routes=[Route("/", answer)]), HttpMetrics(), log_successes=log_successes)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://service") as client:
        assert (await client.get("/")).status_code == 200

    assert [r.getMessage() for r in caplog.records if r.getMessage().startswith("http.request")] == events
