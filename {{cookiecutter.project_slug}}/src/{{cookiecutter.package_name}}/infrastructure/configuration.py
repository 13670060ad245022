"""Reads all settings once, at the start, and reports everything that is wrong with them together (R-RES-CFG-1)."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from dotenv import dotenv_values
from pydantic import ValidationError
from pydantic_settings import BaseSettings

from ..polling.settings import DatabaseSettings, PollingSettings
from ..resilience.settings import ClientSettings
from ..resilience.system import System
from .graph import load_systems
from .settings import HttpSettings, ProcessSettings
from .startup import StartError

S = TypeVar("S", bound=BaseSettings)

ENV_FILE = Path(".env")
CLIENT_PREFIX = "CLIENT_"


@dataclass(frozen=True, slots=True)
class ConfiguredSystem:
    """A declared system with its settings."""

    system: System[Any]
    settings: ClientSettings

    @property
    def name(self) -> str:
        """The system's one name (R-RES-ISO-3)."""
        return self.system.name


@dataclass(frozen=True, slots=True)
class Configuration:
    """All settings of the process."""

    process: ProcessSettings
    http: HttpSettings
    database: DatabaseSettings
    polling: PollingSettings
    systems: Sequence[ConfiguredSystem]
    strangers: Sequence[str]
    """Variables of systems that are not declared: of a system that went, or a typing mistake in its name."""


def load_configuration(env_file: Path | None = ENV_FILE) -> Configuration:
    """Read the environment, and `env_file` where the environment is silent.

    Raises:
        StartError: something is missing, impossible or unknown; every variable is named.
        DiscoveryError: the declarations of the systems do not fit together.
    """
    reader = _Reader(env_file)
    process = reader.read(ProcessSettings)
    http = reader.read(HttpSettings)
    database = reader.read(DatabaseSettings)
    polling = reader.read(PollingSettings)
    systems = [(system, reader.read(system.settings)) for system in load_systems()]
    strangers = reader.check_client_variables({_prefix(system.settings): system.settings for system, _ in systems})
    reader.finish()
    if process is None or http is None or database is None or polling is None:
        raise StartError("settings could not be read")
    configured = [ConfiguredSystem(system, settings) for system, settings in systems if settings]
    return Configuration(process, http, database, polling, configured, strangers)


@dataclass(frozen=True, slots=True)
class DatabaseConfiguration:
    """What migrations and the operators' commands need: no external system is called there."""

    url: str
    database: DatabaseSettings
    polling: PollingSettings


def load_database_configuration(env_file: Path | None = ENV_FILE) -> DatabaseConfiguration:
    """Read what concerns database and queue, and nothing of the systems.

    Raises:
        StartError: something is missing or impossible; every variable is named.
    """
    reader = _Reader(env_file)
    process = reader.read(ProcessSettings)
    database = reader.read(DatabaseSettings)
    polling = reader.read(PollingSettings)
    reader.finish()
    if process is None or database is None or polling is None:
        raise StartError("settings could not be read")
    return DatabaseConfiguration(process.database_url.get_secret_value(), database, polling)


class _Reader:
    """Collects what is wrong instead of stopping at the first."""

    def __init__(self, env_file: Path | None) -> None:
        self._env_file = env_file
        self._missing: list[str] = []
        self._wrong: list[str] = []

    def read(self, kind: type[S]) -> S | None:
        """Return the settings, or None after noting what is wrong with them."""
        try:
            return kind(_env_file=self._env_file)
        except ValidationError as error:
            for variable, kind_of_error, message in _faults(kind, error):
                if kind_of_error == "missing":
                    self._missing.append(variable)
                else:
                    self._wrong.append(f"{variable}: {message}" if variable else message)
            return None

    def check_client_variables(self, known: Mapping[str, type[ClientSettings]]) -> list[str]:
        """Note unknown fields of known systems, which are typing mistakes; return the variables of unknown systems."""
        strangers = []
        for variable in sorted(self._variables()):
            prefix, double, field = variable.partition("__")
            if not double or not variable.startswith(CLIENT_PREFIX):
                continue
            settings = known.get(f"{prefix}__")
            if settings is None:
                strangers.append(variable)
            elif field.lower().partition("__")[0] not in settings.model_fields:
                fields = ", ".join(sorted(settings.model_fields)).upper()
                self._wrong.append(f"{variable}: there is no such setting (R-RES-CFG-3); there are {fields}")
        return strangers

    def finish(self) -> None:
        """Raise what was collected."""
        lines = []
        if self._missing:
            lines.append(f"set {', '.join(self._missing)}")
        lines += self._wrong
        if lines:
            raise StartError("\n  ".join(lines))

    def _variables(self) -> set[str]:
        filed = dotenv_values(self._env_file) if self._env_file and self._env_file.is_file() else {}
        return {name.upper() for name in (*os.environ, *filed)}


def _prefix(kind: type[BaseSettings]) -> str:
    return str(kind.model_config.get("env_prefix", "")).upper()


def _faults(kind: type[BaseSettings], error: ValidationError) -> Iterator[tuple[str, str, str]]:
    """Yield variable, kind and message; pydantic's own text would print the values, secrets included."""
    for fault in error.errors(include_url=False, include_input=False, include_context=False):
        field = "__".join(str(part) for part in fault["loc"]).upper()
        yield (f"{_prefix(kind)}{field}" if field else "", fault["type"], fault["msg"].removeprefix("Value error, "))
