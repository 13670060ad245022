"""What is taken from a client and what is not, before any code of the service's own runs."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import orjson
import pytest
from fastapi import APIRouter, FastAPI
from pydantic import BaseModel

from {{ cookiecutter.package_name }}.adapters.inbound.http import json_body, problem_details
from {{ cookiecutter.package_name }}.adapters.inbound.http.accepted import Id
from {{ cookiecutter.package_name }}.adapters.inbound.http.idempotency_key import IdempotencyKey
from {{ cookiecutter.package_name }}.adapters.inbound.http.json_body import JsonRoute

MAX_BYTES = 200
MAX_DEPTH = 4
JSON = {"Content-Type": "application/json"}


class Thing(BaseModel):
    """What the test's route takes and gives back."""

    payload: dict[str, Any]


class Echo(BaseModel):
    """What the route understood."""

    payload: dict[str, Any]
    key: str | None


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    app = FastAPI()
    problem_details.install(app)
    json_body.install(app, max_bytes=MAX_BYTES, max_depth=MAX_DEPTH)
    router = APIRouter(route_class=JsonRoute)

    @router.post("/things")
    async def create(thing: Thing, key: IdempotencyKey) -> Echo:
        return Echo(payload=thing.payload, key=key)

    @router.get("/things/{thing_id}")
    async def get(thing_id: Id) -> int:
        return thing_id

    app.include_router(router)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://service") as client:
        yield client


def assert_problem(response: httpx.Response, status: int) -> None:
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["status"] == status


@pytest.mark.parametrize(
    "payload",
    [{}, {"a": [{}]}, {"n": 2**63 - 1}, {"n": -1e300}, {"text": "\U0001f600 \\u0000"}, {"": None, "b": [True, False]}],
    ids=["empty", "as deep as allowed", "large integer", "fraction", "escapes", "odd keys"],
)
async def test_what_can_be_stored_is_taken_as_it_is(client: httpx.AsyncClient, payload: dict[str, Any]) -> None:
    response = await client.post("/things", content=orjson.dumps({"payload": payload}), headers=JSON)

    assert response.status_code == 200
    assert response.json()["payload"] == payload


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"payload": {}} x',
        b"[]",
        b"null",
        b"{}",
        b'{"payload": null}',
        b'{"payload": []}',
        b'{"payload": "text"}',
        b'{"payload": {"n": NaN}}',
        b'{"payload": {"n": -Infinity}}',
        b'{"payload": {"n": 1e400}}',
        b'{"payload": {"n": 0x10}}',
        b'{"payload": {"n": -123456789012345678901234567890}}',
        b'{"payload": {"text": "\\u0000"}}',
        b'{"payload": {"\\u0000": 1}}',
        b'{"payload": {"text": "\\ud800"}}',
        b'{"payload": {"text": "\xff"}}',
        b'{"payload": {"a": [[{}]]}}',
        b'{"payload": ' + b"[" * 90 + b"]" * 90 + b"}",
    ],
    ids=lambda body: body.decode("latin-1")[:40],
)
async def test_what_is_no_storable_object_is_422(client: httpx.AsyncClient, body: bytes) -> None:
    response = await client.post("/things", content=body, headers=JSON)

    assert_problem(response, 422)


@pytest.mark.parametrize("headers", [{}, {"Content-Type": "text/plain"}], ids=["undeclared", "text"])
async def test_a_body_that_is_not_declared_as_json_is_422(client: httpx.AsyncClient, headers: dict[str, str]) -> None:
    response = await client.post("/things", content=b'{"payload": {}}', headers=headers)

    assert_problem(response, 422)
    assert "Content-Type" in response.json()["detail"]


@pytest.mark.parametrize("declared", ["application/json; charset=utf-8", "Application/JSON", "application/ld+json"])
async def test_json_has_more_than_one_name(client: httpx.AsyncClient, declared: str) -> None:
    response = await client.post("/things", content=b'{"payload": {}}', headers={"Content-Type": declared})

    assert response.status_code == 200


async def test_a_wrong_value_is_not_repeated(client: httpx.AsyncClient) -> None:
    response = await client.post("/things", json={"payload": "secret"})

    assert "body.payload" in response.json()["detail"]
    assert "secret" not in response.text


@pytest.mark.parametrize("announced", [True, False], ids=["with its length", "in chunks"])
async def test_a_body_beyond_the_limit_is_413(client: httpx.AsyncClient, announced: bool) -> None:
    body = orjson.dumps({"payload": {"text": "x" * MAX_BYTES}})

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 50):
            yield body[start : start + 50]

    response = await client.post("/things", content=body if announced else chunks(), headers=JSON)

    assert_problem(response, 413)


async def test_a_body_of_exactly_the_limit_is_taken(client: httpx.AsyncClient) -> None:
    frame = len(orjson.dumps({"payload": {"text": ""}}))
    body = orjson.dumps({"payload": {"text": "x" * (MAX_BYTES - frame)}})

    assert (await client.post("/things", content=body, headers=JSON)).status_code == 200


@pytest.mark.parametrize("key", ["!", "~", "a,b", "x" * 255], ids=["first", "last", "comma", "longest"])
async def test_a_key_of_visible_ascii_is_taken(client: httpx.AsyncClient, key: str) -> None:
    response = await client.post("/things", json={"payload": {}}, headers={"Idempotency-Key": key})

    assert response.json()["key"] == key


@pytest.mark.parametrize(
    "key",
    [b"", b"x" * 256, b"a b", b"a\tb", b"\xe9", "ключ".encode()],
    ids=["empty", "long", "space", "tab", "latin", "cyrillic"],
)
async def test_a_key_outside_the_rule_is_422(client: httpx.AsyncClient, key: bytes) -> None:
    response = await client.post("/things", json={"payload": {}}, headers={b"Idempotency-Key": key})

    assert_problem(response, 422)


async def test_a_repeated_key_is_422(client: httpx.AsyncClient) -> None:
    twice = [("Idempotency-Key", "a"), ("Idempotency-Key", "a")]

    response = await client.post("/things", json={"payload": {}}, headers=twice)

    assert_problem(response, 422)


async def test_no_key_is_no_key(client: httpx.AsyncClient) -> None:
    assert (await client.post("/things", json={"payload": {}})).json()["key"] is None


@pytest.mark.parametrize("thing_id", ["x", "1.5", str(2**63), str(-(2**63)), "9" * 5000])
async def test_an_id_that_no_row_can_have_is_422(client: httpx.AsyncClient, thing_id: str) -> None:
    assert_problem(await client.get(f"/things/{thing_id}"), 422)
