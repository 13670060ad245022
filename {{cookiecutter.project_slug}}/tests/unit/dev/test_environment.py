"""Nothing that is started for development reaches a real database or a real system."""

from pathlib import Path

import pytest

from dev.environment import (
    developers_environment,
    replaced_addresses,
    scrubbed_environment,
    service_environment,
)
from dev.project import systems

REAL = {
    "DATABASE_URL": "postgresql+asyncpg://real@production/orders",
    "PGHOST": "production",
    "CLIENT_GONE__BASE_URL": "https://gone.example",
    **{f"CLIENT_{name.upper()}__BASE_URL": "https://real.example" for name in systems()},
}


def test_every_address_is_replaced() -> None:
    environment = service_environment(REAL, "postgresql+asyncpg://here", "http://127.0.0.1:1")

    assert environment["DATABASE_URL"] == "postgresql+asyncpg://here"
    assert {environment[f"CLIENT_{name.upper()}__BASE_URL"] for name in systems()} == {
        f"http://127.0.0.1:1/{name}" for name in systems()
    }
    assert not {"PGHOST", "CLIENT_GONE__BASE_URL"} & set(environment)


def test_other_settings_of_the_developer_are_kept() -> None:
    name = f"CLIENT_{systems()[0].upper()}__TOTAL_TIMEOUT"

    environment = service_environment({name: "3", "POLLING__INTERVAL": "1"}, "", "")

    assert (environment[name], environment["POLLING__INTERVAL"]) == ("3", "1")


def test_the_developer_is_told_which_addresses_are_not_used() -> None:
    assert replaced_addresses(REAL) == sorted(set(REAL) - {"PGHOST"})


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    file.write_text("HTTP__PORT=1\nSIMULATOR_PORT=2\n")
    monkeypatch.setenv("HTTP__PORT", "3")
    monkeypatch.delenv("SIMULATOR_PORT", raising=False)

    given = developers_environment(file)

    assert (given["HTTP__PORT"], given["SIMULATOR_PORT"]) == ("3", "2")


@pytest.mark.parametrize(
    "name",
    ["DATABASE_URL", "DATABASE__POOL_SIZE", "CLIENT_X__BASE_URL", "HTTP__PORT", "POLLING__LEASE", "ROLE", "PGHOST"],
)
def test_tests_see_no_setting_of_the_developer(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "1")

    assert name not in scrubbed_environment()
