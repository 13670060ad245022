"""Every fault of the simulator, seen from the wire, and whether the operation was carried out."""

import asyncio
import gzip
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
import pytest

from dev.project import systems
from dev.simulator.faults import BOMB_BYTES
from tests.waiting import eventually

SYSTEM = systems()[0]
CONTROL = f"/_simulator/{SYSTEM}"
IMPATIENT_S = 0.3


@dataclass(frozen=True, slots=True)
class Faulty:
    """One simulated system: its own side and the control side."""

    provider: httpx.AsyncClient
    control: httpx.AsyncClient

    async def behave(self, **behaviour: Any) -> None:
        (await self.control.put(CONTROL, json=behaviour)).raise_for_status()

    async def submit(self, key: str | None = None, reference: str = "task:1") -> httpx.Response:
        return await self.provider.post(
            "/operations",
            json={"reference": reference, "payload": {}},
            headers={"Idempotency-Key": key or str(uuid4())},
        )

    async def proof(self) -> dict[str, Any]:
        proof: dict[str, Any] = (await self.control.get(CONTROL)).json()
        return proof


@pytest.fixture
async def system(simulator: str) -> AsyncIterator[Faulty]:
    async with (
        httpx.AsyncClient(base_url=f"{simulator}/{SYSTEM}", timeout=IMPATIENT_S) as provider,
        httpx.AsyncClient(base_url=simulator) as control,
    ):
        yield Faulty(provider, control)


async def test_an_error_carries_nothing_out(system: Faulty) -> None:
    await system.behave(error_rate=1, status=500)

    response = await system.submit()

    assert response.status_code == 500
    assert "Retry-After" not in response.headers
    assert (await system.proof())["effects"] == 0


async def test_a_hang_carries_nothing_out_and_counts_as_in_flight(system: Faulty) -> None:
    await system.behave(fault="hang")

    with pytest.raises(httpx.ReadTimeout):
        await system.submit()

    proof = await eventually(system.proof, lambda proof: proof["in_flight"] == 0)
    assert (proof["calls"], proof["effects"]) == (1, 0)


async def test_a_hang_that_has_begun_outlives_the_next_behaviour(system: Faulty) -> None:
    await system.behave(fault="hang")
    hanging = asyncio.create_task(system.submit())
    await eventually(system.proof, lambda proof: proof["in_flight"] == 1)

    await system.behave()

    assert (await system.submit()).status_code == 202
    with pytest.raises(httpx.ReadTimeout):
        await hanging


async def test_a_connection_closed_before_carries_nothing_out(system: Faulty) -> None:
    await system.behave(fault="disconnect_before")

    with pytest.raises(httpx.RemoteProtocolError):
        await system.submit()

    assert (await system.proof())["effects"] == 0


async def test_a_connection_closed_after_hides_an_effect(system: Faulty) -> None:
    await system.behave(fault="disconnect_after")
    with pytest.raises(httpx.RemoteProtocolError):
        await system.submit("one-key")

    await system.behave()
    again = await system.submit("one-key")

    proof = await system.proof()
    assert again.status_code == 202
    assert (proof["effects"], proof["repeated_keys"], proof["duplicate_effects"]) == (1, 1, 0)


async def test_a_dripping_answer_never_lets_a_read_time_out(system: Faulty) -> None:
    await system.behave(fault="drip")
    system.provider.timeout = httpx.Timeout(2.0)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(3.0):
            await system.submit()

    assert (await system.proof())["effects"] == 1


async def test_half_a_body_is_cut_off(system: Faulty) -> None:
    await system.behave(fault="half_body")

    with pytest.raises(httpx.RemoteProtocolError):
        await system.submit()

    assert (await system.proof())["effects"] == 1


async def test_a_malformed_answer_is_whole_and_no_json(system: Faulty) -> None:
    await system.behave(fault="malformed")

    response = await system.submit()

    assert response.status_code == 202
    assert response.headers["content-type"].startswith("application/json")
    with pytest.raises(json.JSONDecodeError):
        response.json()
    assert (await system.proof())["effects"] == 1


async def test_a_bomb_is_small_on_the_wire_and_huge_unpacked(system: Faulty) -> None:
    await system.behave(fault="gzip_bomb")
    system.provider.timeout = httpx.Timeout(10.0)

    async with system.provider.stream(
        "POST",
        "/operations",
        json={"reference": "task:1", "payload": {}},
        headers={"Idempotency-Key": "bomb", "Accept-Encoding": "gzip"},
    ) as response:
        packed = b"".join([part async for part in response.aiter_raw()])

    assert len(packed) < BOMB_BYTES / 500
    assert len(gzip.decompress(packed)) > BOMB_BYTES
    assert (await system.proof())["effects"] == 1


@pytest.mark.parametrize("fault", ["disconnect_before", "disconnect_after", "half_body"])
async def test_polls_suffer_like_submissions(system: Faulty, fault: str) -> None:
    operation_id = (await system.submit()).json()["id"]
    await system.behave(fault=fault)

    with pytest.raises(httpx.RemoteProtocolError):
        await system.provider.get(f"/operations/{operation_id}")

    assert (await system.proof())["polls"] == 1


async def test_latency_delays_every_answer(system: Faulty) -> None:
    await system.behave(latency=0.15)

    begin = time.monotonic()
    await system.submit()

    assert time.monotonic() - begin >= 0.15


async def test_a_client_that_left_early_has_its_operation_all_the_same(system: Faulty) -> None:
    await system.behave(latency=IMPATIENT_S + 0.2)

    with pytest.raises(httpx.ReadTimeout):
        await system.submit()

    await eventually(system.proof, lambda proof: proof["effects"] == 1)


@pytest.mark.parametrize(("suffers", "status"), [(False, 200), (True, 503)], ids=["spared", "suffers"])
async def test_health_suffers_only_when_told_so(system: Faulty, suffers: bool, status: int) -> None:
    await system.behave(error_rate=1, health=suffers)

    response = await system.provider.get("/health")

    assert response.status_code == status
    assert (await system.proof())["probes"] == 1


async def test_a_new_behaviour_replaces_the_whole_of_the_old(system: Faulty) -> None:
    await system.behave(error_rate=1, status=500, pending_polls=3)

    answer = await system.control.put(CONTROL, json={"latency": 0.01})

    assert answer.status_code == 200
    assert answer.json()["error_rate"] == 0
    assert (await system.proof())["behaviour"] == answer.json()


@pytest.mark.parametrize("body", [b'{"fualt": "hang"}', b"{", b"[]", b'{"fault": "hang", "fault2": 1}'])
async def test_an_unknown_behaviour_is_422_and_changes_nothing(system: Faulty, body: bytes) -> None:
    await system.behave(pending_polls=3)

    answer = await system.control.put(CONTROL, content=body)

    assert answer.status_code == 422
    assert (await system.proof())["behaviour"]["pending_polls"] == 3


async def test_a_reset_sets_counters_back_and_remembers_operations_and_keys(system: Faulty) -> None:
    first = await system.submit("one-key")
    await system.behave(error_rate=1)

    answer = await system.control.delete(CONTROL)

    assert answer.status_code == 204
    assert {**(await system.proof()), "behaviour": None} == {
        "calls": 0,
        "polls": 0,
        "probes": 0,
        "effects": 0,
        "duplicate_effects": 0,
        "repeated_keys": 0,
        "in_flight": 0,
        "behaviour": None,
    }
    assert (await system.submit("one-key")).json()["id"] == first.json()["id"]
    assert (await system.provider.get(f"/operations/{first.json()['id']}")).status_code == 200
    proof = await system.proof()
    assert (proof["effects"], proof["repeated_keys"]) == (0, 1)


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_an_unknown_system_is_404(simulator: str, method: str) -> None:
    async with httpx.AsyncClient(base_url=simulator) as client:
        assert (await client.request(method, "/_simulator/nobody")).status_code == 404
        assert (await client.get("/nobody/health")).status_code == 404


async def test_two_keys_of_one_reference_show_as_a_duplicate(system: Faulty) -> None:
    for key in (str(uuid4()), str(uuid4())):
        await system.submit(key, reference="task:7")

    proof = await system.proof()
    assert (proof["effects"], proof["duplicate_effects"], proof["repeated_keys"]) == (2, 1, 0)
