"""Services run on every Python that the template supports and this machine has."""

import sys
from pathlib import Path

import pytest
from baking import Oven
from booting import booted
from environments import PYTHONS, find_python, service_environment

RUNNING = f"{sys.version_info[0]}.{sys.version_info[1]}"


@pytest.mark.parametrize("version", [version for version in PYTHONS if version != RUNNING])
def test_a_service_installs_checks_and_boots(version: str, bake: Oven, tmp_path: Path) -> None:
    if not find_python(version):
        pytest.skip(f"no Python {version} on this machine")
    project = bake.fresh()
    python = service_environment(project, version)

    project.run(python, "-m", "mypy", "--cache-dir", tmp_path / "mypy", "--python-version", version)
    project.run(python, "-W", "error", "-m", "compileall", "-q", "-f", project.root / "src", project.root / "dev")
    with booted(project, python, tmp_path) as running:
        assert running.management("/health/live").status == 200
        assert running.public("/orders", {"payload": {}}).status == 202
