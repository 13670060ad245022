"""Bakes projects with Cookiecutter's own API, apart from the developer's ~/.cookiecutterrc and replay folder."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cookiecutter.main import cookiecutter
from hook_modules import TEMPLATE

TREE_IGNORES = {".git", ".cruft.json"}  # what a way of generating adds by itself


@dataclass(frozen=True)
class Project:
    """A generated project on disk."""

    root: Path

    @property
    def package(self) -> str:
        """Name of the one package under src."""
        (folder,) = [path for path in (self.root / "src").iterdir() if path.is_dir()]
        return folder.name

    @property
    def source(self) -> Path:
        """Folder of the package."""
        return self.root / "src" / self.package

    def files(self) -> list[str]:
        """Paths of all files, sorted, with forward slashes."""
        return sorted(
            path.relative_to(self.root).as_posix()
            for path in self.root.rglob("*")
            if path.is_file() and path.relative_to(self.root).parts[0] not in TREE_IGNORES
        )

    def tree(self) -> dict[str, bytes]:
        """Content of every file by its path."""
        return {path: (self.root / path).read_bytes() for path in self.files()}

    def read(self, path: str) -> str:
        """Text of one file."""
        return (self.root / path).read_text(encoding="utf-8")

    def run(self, *command: str | Path, timeout_s: float = 120, variables: Mapping[str, str] | None = None) -> str:
        """Runs a command in the project and returns its output; fails with the end of the output."""
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.root,
            env=clean_environment() | dict(variables or {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=timeout_s,
            check=False,
        )
        assert done.returncode == 0, f"{' '.join(map(str, command))} -> {done.returncode}\n{done.stdout[-6000:]}"
        return done.stdout


def snapshot(folder: Path) -> Path:
    """Copies what is part of the template, committed or not, without what tools left in the working tree."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listing, cwd=TEMPLATE, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if (TEMPLATE / name).is_file():  # one that is deleted and not yet committed is listed, too
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TEMPLATE / name, folder / name)
    return folder


def clean_environment() -> dict[str, str]:
    """Returns the environment without what could steer a tool: a developer's settings must not decide a test."""
    unwanted = (
        "PYTHON",
        "PYTEST",
        "CLIENT_",
        "DATABASE_URL",
        "HTTP__",
        "MYPY",
        "RUFF",
        "MAKE",
        "MFLAGS",
        "COOKIECUTTER",
    )
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(unwanted) and name not in ("VIRTUAL_ENV", "T")
    }


def user_config(folder: Path, **answers: Any) -> Any:
    """Returns a user configuration that keeps clones and replays in the folder; Cookiecutter types it as a flag."""
    return {
        "cookiecutters_dir": str(folder / "cookiecutters"),
        "replay_dir": str(folder / "replay"),
        "default_context": answers,
    }


def bake_into(
    output: Path,
    answers: Mapping[str, str] | None = None,
    template: str | Path = TEMPLATE,
    *,
    overwrite: bool = False,
) -> Project:
    """Bakes once with these answers; raises what Cookiecutter raises."""
    with tempfile.TemporaryDirectory() as home:
        made = cookiecutter(
            str(template),
            no_input=True,
            extra_context=dict(answers or {}),
            output_dir=str(output),
            overwrite_if_exists=overwrite,
            default_config=user_config(Path(home)),
        )
    return Project(Path(made))


class Oven:
    """Bakes every set of answers once: whoever asks again gets the same project, so nobody may change it."""

    def __init__(self, template: Path, folder: Path) -> None:
        self.template = template
        self._folder = folder
        self._made: dict[str, Project] = {}

    def __call__(self, **answers: str) -> Project:
        """Returns the project of these answers."""
        key = json.dumps(answers, sort_keys=True)
        if key not in self._made:
            self._made[key] = self.fresh(**answers)
        return self._made[key]

    def fresh(self, **answers: str) -> Project:
        """Returns a project of one's own, to be changed or run in."""
        return bake_into(Path(tempfile.mkdtemp(dir=self._folder)), answers, self.template)
