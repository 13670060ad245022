"""Settings that cannot work together stop the start and say which."""

import pytest
from pydantic import ValidationError

from {{ cookiecutter.package_name }}.polling.settings import DatabaseSettings, PollingSettings


def test_defaults_work_together() -> None:
    assert PollingSettings().max_attempts == 20
    assert DatabaseSettings().pool_size == 10


def test_an_interval_beyond_the_lease_names_both_variables() -> None:
    with pytest.raises(ValidationError, match=r"POLLING__INTERVAL .* POLLING__LEASE"):
        PollingSettings(interval=60, lease=30)


def test_they_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLLING__LEASE", "12.5")
    monkeypatch.setenv("POLLING__SOMEBODY_ELSES", "x")
    monkeypatch.setenv("DATABASE__PGBOUNCER", "true")

    assert PollingSettings().lease == 12.5
    assert DatabaseSettings().pgbouncer
