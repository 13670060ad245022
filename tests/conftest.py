"""Fixtures that all tests of the template share."""

from pathlib import Path

import pytest
from baking import Oven


@pytest.fixture(scope="session")
def bake(tmp_path_factory: pytest.TempPathFactory) -> Oven:
    """Bakes by answers, each set once a session."""
    return Oven(tmp_path_factory.mktemp("bakes"))


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """An empty folder to generate into."""
    folder = tmp_path / "output"
    folder.mkdir()
    return folder
