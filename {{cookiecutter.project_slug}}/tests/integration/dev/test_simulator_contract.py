"""The simulator answers as the OpenAPI document in each system's folder says."""

from collections.abc import AsyncIterator
from uuid import uuid4

import httpx
import pytest
from jsonschema import ValidationError

from .contract import Contract
from dev.project import systems

SUBMISSION = {"reference": "task:1", "payload": {"amount": 1}}


@pytest.fixture(params=systems())
def system(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def contract(system: str) -> Contract:
    found = Contract(system)
    if "/operations" not in found.document["paths"]:
        pytest.skip(f"the contract of {system} is another than the simulator plays")
    return found


@pytest.fixture
async def provider(simulator: str, system: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{simulator}/{system}") as client:
        yield client


@pytest.fixture
async def control(simulator: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=simulator) as client:
        yield client


def key() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid4())}


async def test_an_operation_from_submission_to_decision(
    system: str, contract: Contract, provider: httpx.AsyncClient
) -> None:
    contract.check_request("post", "/operations", SUBMISSION)
    submitted = await provider.post("/operations", json=SUBMISSION, headers=key())
    polls = [await provider.get(f"/operations/{submitted.json()['id']}") for _ in range(3)]

    for response in (submitted, *polls):
        contract.check(response, f"/{system}")
    assert submitted.status_code == 202
    assert [poll.json()["status"] for poll in polls] == ["pending", "confirmed", "confirmed"]


async def test_a_rejection_has_its_reason(
    system: str, contract: Contract, provider: httpx.AsyncClient, control: httpx.AsyncClient
) -> None:
    await control.put(f"/_simulator/{system}", json={"outcome": "rejected", "pending_polls": 0})
    submitted = await provider.post("/operations", json=SUBMISSION, headers=key())

    poll = await provider.get(f"/operations/{submitted.json()['id']}")

    contract.check(poll, f"/{system}")
    assert poll.json()["status"] == "rejected"
    assert poll.json()["reason"]


async def test_a_submission_without_a_key_is_400(
    system: str, contract: Contract, provider: httpx.AsyncClient, control: httpx.AsyncClient
) -> None:
    response = await provider.post("/operations", json=SUBMISSION)

    contract.check(response, f"/{system}")
    assert response.status_code == 400
    assert (await control.get(f"/_simulator/{system}")).json()["effects"] == 0


@pytest.mark.parametrize(
    "body",
    [{}, {"reference": "task:1"}, {"reference": 1, "payload": {}}, {"reference": "a", "payload": []}, [], 1],
    ids=str,
)
async def test_what_the_contract_forbids_is_400(
    system: str, contract: Contract, provider: httpx.AsyncClient, body: object
) -> None:
    with pytest.raises(ValidationError):
        contract.check_request("post", "/operations", body)

    response = await provider.post("/operations", json=body, headers=key())

    contract.check(response, f"/{system}")
    assert response.status_code == 400


async def test_what_is_no_json_is_400(provider: httpx.AsyncClient) -> None:
    assert (await provider.post("/operations", content=b"{", headers=key())).status_code == 400


async def test_an_unknown_operation_is_404(system: str, contract: Contract, provider: httpx.AsyncClient) -> None:
    response = await provider.get("/operations/unknown")

    contract.check(response, f"/{system}")
    assert response.status_code == 404


async def test_health(system: str, contract: Contract, provider: httpx.AsyncClient) -> None:
    response = await provider.get("/health")

    contract.check(response, f"/{system}")
    assert response.status_code == 200


@pytest.mark.parametrize("status", [429, 503])
async def test_a_failure_is_one_that_the_contract_knows(
    system: str, contract: Contract, provider: httpx.AsyncClient, control: httpx.AsyncClient, status: int
) -> None:
    await control.put(
        f"/_simulator/{system}", json={"error_rate": 1, "status": status, "retry_after": 7, "health": True}
    )

    responses = [
        await provider.post("/operations", json=SUBMISSION, headers=key()),
        await provider.get("/operations/any"),
        await provider.get("/health"),
    ]

    assert [response.headers["Retry-After"] for response in responses] == ["7", "7", "7"]
    assert {response.status_code for response in responses} == {status}
    contract.check(responses[0], f"/{system}")
    contract.check(responses[1], f"/{system}")
