"""Fixtures that all tests of the template share."""

from pathlib import Path

import pytest
from baking import Oven, snapshot


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The template as it is when the session begins: an edit during the session must not confuse it."""
    return snapshot(tmp_path_factory.mktemp("template") / "resilient-service")


@pytest.fixture(scope="session")
def bake(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Oven:
    """Bakes by answers, each set once a session."""
    return Oven(template, tmp_path_factory.mktemp("bakes"))


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """An empty folder to generate into."""
    folder = tmp_path / "output"
    folder.mkdir()
    return folder
