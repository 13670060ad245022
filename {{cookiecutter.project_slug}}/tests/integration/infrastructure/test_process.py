"""The service as a real process: it starts, tells what is missing, answers, drains and ends."""

import signal
import socket
from collections.abc import AsyncIterator, Mapping

import httpx
import pytest

from {{ cookiecutter.package_name }}.infrastructure.graph import load_systems

from .running import RunningService, output, running, spawn


@pytest.fixture(scope="module")
def settings(database_url: str, simulator_url: str) -> Mapping[str, str]:
    urls = {f"CLIENT_{s.name.upper()}__BASE_URL": f"{simulator_url}/{s.name}" for s in load_systems()}
    return {"DATABASE_URL": database_url, **urls}


@pytest.fixture(scope="module")
async def service(settings: Mapping[str, str]) -> AsyncIterator[RunningService]:
    """A running service for the tests that leave it running: a start takes seconds."""
    async with running(settings) as service:
        yield service


async def test_it_answers_on_the_management_port(service: RunningService) -> None:
    async with httpx.AsyncClient(base_url=service.management) as client:
        live = await client.get("/health/live")
        ready = await client.get("/health/ready")
        metrics = await client.get("/metrics")
        info = await client.get("/info")

    assert (live.status_code, live.json()) == (200, {"status": "live"})
    assert (ready.status_code, ready.json()["status"], ready.json()["database"]) == (200, "ready", "up")
    assert set(ready.json()["systems"]) == {system.name for system in load_systems()}
    assert "event_loop_lag_seconds_bucket" in metrics.text
    assert info.json()["role"] == "all"


async def test_management_paths_are_not_public(service: RunningService) -> None:
    async with httpx.AsyncClient(base_url=service.public) as client:
        codes = {path: (await client.get(path)).status_code for path in ("/metrics", "/health/ready", "/info")}

    assert set(codes.values()) == {404}


async def test_a_signal_makes_it_unready_and_then_ends_it_with_zero(settings: Mapping[str, str]) -> None:
    async with (
        running({**settings, "HTTP__DRAIN_DELAY": "1"}) as service,
        httpx.AsyncClient(base_url=service.management) as client,
    ):
        service.process.send_signal(signal.SIGTERM)
        status = 200
        while status == 200:
            status = (await client.get("/health/ready")).status_code

        assert status == 503
        assert await service.wait() == 0


async def test_a_second_signal_ends_at_once(settings: Mapping[str, str]) -> None:
    async with (
        running({**settings, "HTTP__DRAIN_DELAY": "60"}) as service,
        httpx.AsyncClient(base_url=service.management) as client,
    ):
        service.process.send_signal(signal.SIGTERM)
        while (await client.get("/health/ready")).status_code == 200:
            pass

        assert await service.stop() == 130


async def test_a_worker_has_no_public_port(settings: Mapping[str, str]) -> None:
    async with (
        running({**settings, "ROLE": "worker"}) as service,
        httpx.AsyncClient(base_url=service.management) as client,
    ):
        assert service.public.endswith("None")
        assert (await client.get("/health/ready")).status_code == 200


async def test_a_taken_port_is_one_clear_line(settings: Mapping[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        code, errors = await output(await spawn({**settings, "HTTP__PORT": str(port)}))

    assert code == 1
    assert errors.startswith(f"cannot start: 127.0.0.1:{port} cannot be bound")
    assert "HTTP__PORT" in errors
    assert len(errors.splitlines()) == 1


async def test_without_settings_one_line_says_what_is_missing() -> None:
    code, errors = await output(await spawn({}))

    wanted = ["DATABASE_URL", *(f"CLIENT_{system.name.upper()}__BASE_URL" for system in load_systems())]
    assert code == 1
    assert errors == f"cannot start: set {', '.join(wanted)}\n"


async def test_an_unknown_command_shows_the_usage(settings: Mapping[str, str]) -> None:
    code, errors = await output(await spawn(settings, "frobnicate"))

    assert code == 2
    assert errors.startswith("usage: python -m ")


async def test_the_operators_commands_need_the_database_only(database_url: str) -> None:
    process = await spawn({"DATABASE_URL": database_url}, "tasks", "stats", "--json")

    code, errors = await output(process)

    assert (code, errors) == (0, "")
