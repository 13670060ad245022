"""Virtual environments with the pins of the service, shared by all bakes: the pins are the same in each."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from baking import Project, clean_environment
from hook_modules import TEMPLATE

FOLDER = TEMPLATE / "build" / "environments"  # survives the session: set-up costs a minute without uv
PYTHONS = ("3.11", "3.12", "3.13")


def find_python(version: str) -> Path | None:
    """Returns an interpreter of that version that runs, or None."""
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        return Path(sys.executable).resolve()
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    on_path = shutil.which(f"python{version}")
    candidates = [*([Path(on_path)] if on_path else []), *pyenv.glob(f"{version}.*/bin/python")]
    for candidate in candidates:
        probe = subprocess.run(
            [candidate, "-c", "import sys, ssl, ctypes; print(sys.version_info[:2])"],
            capture_output=True,
            text=True,
            check=False,
        )
        if probe.returncode == 0 and probe.stdout.strip() == str(tuple(map(int, version.split(".")))):
            return candidate
    return None


def service_environment(project: Project, version: str = "") -> Path:
    """Returns the interpreter of an environment with the project's development pins; makes it if it is not there."""
    version = version or f"{sys.version_info[0]}.{sys.version_info[1]}"
    python = find_python(version)
    assert python, f"no Python {version} here"
    pins = project.root / "requirements" / "dev.txt"
    name = f"{version}-{hashlib.sha256(pins.read_bytes()).hexdigest()[:12]}"
    folder = FOLDER / name
    if not (folder / ".ready").exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["sh", str(TEMPLATE / "scripts" / "environment"), str(folder), str(pins)],
            env=clean_environment() | {"PYTHON": str(python)},
            check=True,
            timeout=600,
        )
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"
