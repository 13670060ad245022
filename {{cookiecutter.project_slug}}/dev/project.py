"""Where things lie in this project, and which external systems it has."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "{{ cookiecutter.package_name }}"
SOURCES = ROOT / "src" / PACKAGE
OUTBOUND = SOURCES / "adapters" / "outbound"
WORK = ROOT / ".dev"
"""Databases and logs of the launcher; git ignores it."""

NOT_A_SYSTEM = frozenset({"db"})
SYSTEM_NAME = re.compile(r"[a-z][a-z0-9_]*")


class DevError(Exception):
    """A verb cannot do its work; the message is one line that says why and what to do."""


def systems() -> list[str]:
    """Return the names of the external systems: the packages in `adapters/outbound/`, the database's own aside."""
    folders = (path.parent for path in OUTBOUND.glob("*/__init__.py"))
    return sorted(f.name for f in folders if f.name not in NOT_A_SYSTEM and SYSTEM_NAME.fullmatch(f.name))


def contract(system: str) -> Path:
    """Return the path of the OpenAPI document of `system`."""
    return OUTBOUND / system / "openapi" / f"{system}.openapi.yaml"
