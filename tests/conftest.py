"""Fixtures that all tests of the template share."""

import os
import subprocess
from pathlib import Path

import pytest
from baking import Oven, clean_environment, snapshot

GIT_CONFIG = """
[user]
  name = Test
  email = test@example.invalid
[init]
  defaultBranch = main
[protocol "file"]
  allow = always
"""


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


@pytest.fixture(scope="session")
def repository(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bare git repository that holds the template."""
    folder = tmp_path_factory.mktemp("repository")
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"]
    for command in (
        ["init", "--quiet", "--initial-branch=main", str(folder / "work")],
        ["--work-tree", str(template), "add", "--all"],
        ["commit", "--quiet", "--message", "The template"],
        ["clone", "--quiet", "--bare", str(folder / "work"), str(folder / "resilient-service.git")],
    ):
        where = folder if command[0] in ("init", "clone") else folder / "work"
        subprocess.run(["git", *identity, *command], cwd=where, check=True, env=clean_environment())
    return folder / "resilient-service.git"


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment whose home is empty, so that clones and replays are this test's own."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".gitconfig").write_text(GIT_CONFIG, encoding="utf-8")
    caches = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    kept = {"UV_CACHE_DIR": str(caches / "uv"), "PIP_CACHE_DIR": str(caches / "pip")}  # downloads are nobody's secret
    return kept | clean_environment() | {"HOME": str(tmp_path / "home"), "USERPROFILE": str(tmp_path / "home")}
