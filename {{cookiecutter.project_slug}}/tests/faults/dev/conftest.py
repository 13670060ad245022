"""A copy of this project, so that the developer's own database is left alone."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from dev.postgres_home import data_folder
from dev.project import ROOT

LEFT_OUT = shutil.ignore_patterns(".venv", ".dev", ".git", "__pycache__", ".*_cache", "tests", "docs", "build")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    copy = tmp_path / "project"
    shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
    yield copy
    for number in ("", "-2"):
        shutil.rmtree(data_folder(copy / ".dev" / f"postgresql{number}"), ignore_errors=True)
