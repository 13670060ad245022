"""The rules that run: every class of the catalogue, and the team's own files."""

import hashlib
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from .finding import Rule

CATALOGUE = Path(__file__).resolve().parent / "catalogue"


class BrokenRule(Exception):
    """A team's rule file cannot be used; the message names the file."""


def rules_of(folders: list[Path]) -> list[type[Rule]]:
    """The catalogue's rules and those of each folder, by code; a code that comes twice is an error."""
    found: dict[str, type[Rule]] = {}
    modules = [
        importlib.import_module(f"{__package__}.catalogue.{p.stem}") for p in sorted(CATALOGUE.glob("[a-z]*.py"))
    ]
    modules.extend(_load(path) for folder in folders for path in sorted(folder.glob("[a-z]*.py")))
    for module in modules:
        for rule in _classes(module):
            if not rule.code or not rule.__doc__ or not rule.nodes:
                raise BrokenRule(f"{module.__file__}: {rule.__name__} needs code, nodes and a docstring")
            if rule.code in found:
                raise BrokenRule(f"{module.__file__}: {rule.code} is taken by {found[rule.code].__module__}")
            found[rule.code] = rule
    return [found[code] for code in sorted(found)]


def fingerprint(folders: list[Path]) -> str:
    """Changes whenever the checker or a team's rule changes, or Python's grammar can."""
    digest = hashlib.sha256(repr(sys.version_info).encode())
    own = sorted(Path(__file__).resolve().parent.rglob("*.py"))
    for path in [*own, *(p for folder in folders for p in sorted(folder.glob("*.py")))]:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _classes(module: ModuleType) -> list[type[Rule]]:
    own = [c for c in vars(module).values() if isinstance(c, type) and c.__module__ == module.__name__]
    return [c for c in own if issubclass(c, Rule)]


def _load(path: Path) -> ModuleType:
    """A team's file is a module of its own; it imports `rules.finding` as the catalogue's files do."""
    package = (__package__ or "rules").split(".")[0]
    for name in [n for n in sys.modules if n == package or n.startswith(f"{package}.")]:
        sys.modules.setdefault("rules" + name.removeprefix(package), sys.modules[name])
    name = f"rules_local_{hashlib.sha256(str(path.parent).encode()).hexdigest()[:8]}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BrokenRule(f"{path}: cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BrokenRule(f"{path}: {type(error).__name__}: {error}") from error
    return module
