"""Settings are read once, and everything that is wrong is told together."""

import os
from pathlib import Path

import pytest

from {{ cookiecutter.package_name }}.infrastructure.configuration import load_configuration
from {{ cookiecutter.package_name }}.infrastructure.graph import load_systems
from {{ cookiecutter.package_name }}.infrastructure.startup import StartError

PREFIXES = [str(system.settings.model_config.get("env_prefix")) for system in load_systems()]


@pytest.fixture(autouse=True)
def complete(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that has what is required and nothing else of ours."""
    for name in list(os.environ):
        if name.startswith(("CLIENT_", "POLLING__", "DATABASE", "HTTP__")) or name == "ROLE":
            monkeypatch.delenv(name)
    monkeypatch.setenv("DATABASE_URL", "postgresql+asyncpg://postgres@/postgres")
    for prefix in PREFIXES:
        monkeypatch.setenv(f"{prefix}BASE_URL", "http://127.0.0.1:1/x")


def refusal() -> str:
    with pytest.raises(StartError) as refused:
        load_configuration(env_file=None)
    return str(refused.value)


def test_what_is_required_is_enough() -> None:
    configuration = load_configuration(env_file=None)

    assert [f"CLIENT_{system.name.upper()}__" for system in configuration.systems] == PREFIXES
    assert configuration.process.role == "all"


def test_all_missing_variables_are_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL")
    for prefix in PREFIXES:
        monkeypatch.delenv(f"{prefix}BASE_URL")

    assert refusal() == "set " + ", ".join(["DATABASE_URL", *(f"{prefix}BASE_URL" for prefix in PREFIXES)])


def test_a_mistyped_field_of_a_known_system_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"{PREFIXES[0]}TOTAL_TIMOUT", "3")

    assert f"{PREFIXES[0]}TOTAL_TIMOUT: there is no such setting" in refusal()


def test_variables_of_an_unknown_system_are_only_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLIENT_NOBODY_HERE__BASE_URL", "http://127.0.0.1:1")

    assert load_configuration(env_file=None).strangers == ["CLIENT_NOBODY_HERE__BASE_URL"]


def test_a_wrong_value_is_named_and_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP__PORT", "hunter2")

    message = refusal()

    assert message.startswith("HTTP__PORT: ")
    assert "hunter2" not in message


def test_a_file_fills_in_where_the_environment_is_silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP__PORT", "1")
    file = tmp_path / ".env"
    file.write_text("HTTP__PORT=2\nHTTP__MANAGEMENT_PORT=3\nUNRELATED=4\n")

    http = load_configuration(env_file=file).http

    assert (http.port, http.management_port) == (1, 3)


def test_res_cfg_3_unprefixed_names_in_a_file_reach_no_system(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("TOTAL_TIMEOUT=59\nMAX_CONCURRENT=1\n")

    for system in load_configuration(env_file=file).systems:
        assert system.settings.total_timeout != 59
        assert system.settings.max_concurrent != 1
