"""The environment of the processes that are started here: ours, without what must not leak into them."""

import os
from collections.abc import Mapping
from pathlib import Path

from dotenv import dotenv_values

from .project import ROOT, systems

REPLACED = ("DATABASE_URL", "MIGRATIONS_DIR")
SERVICE_PREFIXES = ("CLIENT_", "DATABASE_", "HTTP__", "POLLING__", "SIMULATOR_", "PG")
SERVICE_NAMES = frozenset({"LOG_LEVEL", "MIGRATIONS_DIR", "REVISION", "ROLE"})


def developers_environment(env_file: Path = ROOT / ".env") -> dict[str, str]:
    """Return the environment, and `.env` where the environment is silent: what the service itself will see."""
    filed = {name: value for name, value in dotenv_values(env_file).items() if value is not None}
    return {**filed, **os.environ}


def service_environment(given: Mapping[str, str], database_url: str, simulator_url: str) -> dict[str, str]:
    """Return `given` with every address replaced: nothing that is run here reaches a real database or system."""
    kept = {
        name: value
        for name, value in given.items()
        if name.upper() not in REPLACED and not _is_address(name) and not name.startswith("PG")
    }
    addresses = {f"CLIENT_{name.upper()}__BASE_URL": f"{simulator_url}/{name}" for name in systems()}
    return {**kept, "DATABASE_URL": database_url, **addresses}


def replaced_addresses(given: Mapping[str, str]) -> list[str]:
    """Return the names of the developer's variables that `service_environment` leaves out."""
    return sorted(name for name in given if name.upper() in REPLACED or _is_address(name))


def scrubbed_environment() -> dict[str, str]:
    """Return the environment without any setting of the service: tests say what they need themselves."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.upper().startswith(SERVICE_PREFIXES) and name.upper() not in SERVICE_NAMES | {"DATABASE_URL"}
    }


def _is_address(name: str) -> bool:
    upper = name.upper()
    return upper.startswith("CLIENT_") and upper.endswith("__BASE_URL")
