"""Finds what was added: every module of a package exports one declaration of the wanted type.

Things are discovered, not listed, so that adding a system, an aggregate or a task adds files and changes none.
"""

import importlib
import pkgutil
from collections.abc import Collection
from types import ModuleType
from typing import TypeVar

T = TypeVar("T")

ROOT = __name__.partition(".")[0]
"""The service's package: everything that is discovered lies below it."""


class DiscoveryError(Exception):
    """A module does not declare what its place demands; the message names the file and the fix."""


def modules(package: str, skip: Collection[str] = ()) -> list[ModuleType]:
    """Import the modules of `package` (a dotted name below the service's package), sorted by name.

    A package that is not there has no modules: a service without tasks has no `wiring.tasks`.
    """
    name = f"{ROOT}.{package}"
    try:
        paths = importlib.import_module(name).__path__
    except ModuleNotFoundError as error:
        if error.name == name:
            return []
        raise
    found = sorted(m.name for m in pkgutil.iter_modules(paths) if not m.name.startswith("_") and m.name not in skip)
    return [importlib.import_module(f"{name}.{module}") for module in found]


def discover(package: str, export: str, kind: type[T], skip: Collection[str] = ()) -> list[T]:
    """Collect `export` of every module of `package`.

    Raises:
        DiscoveryError: a module exports nothing of that name, or something of another type.
    """
    found = []
    for module in modules(package, skip):
        value = getattr(module, export, None)
        if not isinstance(value, kind):
            raise DiscoveryError(
                f"{module.__file__}: define `{export} = {kind.__name__}(...)` here, or move the module elsewhere"
            )
        found.append(value)
    return found
