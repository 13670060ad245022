"""Which ports the launcher takes, and how it says that it cannot."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from dev import ports
from dev.ports import choose_ports
from dev.project import DevError


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port that the test itself holds does not become free by waiting."""
    monkeypatch.setattr(ports, "CLEARING_UP_S", 0.0)


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def free(count: int) -> list[str]:
    with ExitStack() as stack:
        servers = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [str(server.getsockname()[1]) for server in servers]


def test_given_ports_are_taken_as_given() -> None:
    api, management, simulator = free(3)

    chosen = choose_ports({"HTTP__PORT": api, "HTTP__MANAGEMENT_PORT": management, "SIMULATOR_PORT": simulator})

    assert [chosen.api, chosen.management, chosen.simulator] == [int(api), int(management), int(simulator)]


def test_zero_takes_three_different_free_ports() -> None:
    chosen = choose_ports({"HTTP__PORT": "0", "HTTP__MANAGEMENT_PORT": "0", "SIMULATOR_PORT": "0"})

    assert 0 < len({chosen.api, chosen.management, chosen.simulator} - {0}) == 3


def test_the_defaults_are_those_of_the_contract() -> None:
    assert ports.DEFAULTS == {"HTTP__PORT": 8000, "HTTP__MANAGEMENT_PORT": 8001, "SIMULATOR_PORT": 8100}


def test_a_taken_port_is_one_line_that_names_the_variable(taken: int) -> None:
    with pytest.raises(DevError) as error:
        choose_ports({"HTTP__PORT": str(taken), "HTTP__MANAGEMENT_PORT": "0", "SIMULATOR_PORT": "0"})

    assert f"port {taken} on 127.0.0.1" in str(error.value)
    assert "HTTP__PORT" in str(error.value)
    assert "\n" not in str(error.value)


def test_one_port_for_two_servers_is_refused() -> None:
    (port,) = free(1)

    with pytest.raises(DevError, match=f"HTTP__PORT and SIMULATOR_PORT are both {port}"):
        choose_ports({"HTTP__PORT": port, "HTTP__MANAGEMENT_PORT": "0", "SIMULATOR_PORT": port})


@pytest.mark.parametrize("text", ["eight", "-1", "65536", "8000.0", "٨٠"])
def test_what_is_no_port_is_refused(text: str) -> None:
    with pytest.raises(DevError, match="SIMULATOR_PORT is"):
        choose_ports({"HTTP__PORT": "0", "HTTP__MANAGEMENT_PORT": "0", "SIMULATOR_PORT": text})
