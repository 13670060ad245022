"""Constants of other modules, read when a value depends on one: `from .limits import PAUSE`."""

import ast
import hashlib
import warnings
from functools import lru_cache
from pathlib import Path

from .arithmetic import UNKNOWN, Candidates
from .resolver import Resolver
from .source import Source
from .values import Values

DEPTH = 4  # files that one constant is followed through
LARGEST = 200_000  # bytes; constants do not live in generated files


class Modules:
    """The neighbours of one file. `read` notes what was looked at, so that a cached result knows when it is stale."""

    def __init__(self, path: Path, hops: int = 0) -> None:
        self.path = path
        self.hops = hops
        self.read: dict[str, str] = {}

    def constant(self, dotted: str, depth: int) -> Candidates:
        """The values of a module's constant, or of a class attribute in it."""
        if self.hops >= DEPTH:
            return [UNKNOWN]
        for module, names in _splits(dotted):
            path = self._find(module)
            if path is not None:
                return self._value(path, names, depth)
        return [UNKNOWN]

    def _value(self, path: Path, names: list[str], depth: int) -> Candidates:
        parsed = _parse(str(path), path.stat().st_mtime_ns)
        if parsed is None:
            return [UNKNOWN]
        source, digest = parsed
        self.read[str(path)] = digest
        inner = Modules(path, self.hops + 1)
        values = Values(source, Resolver(source), inner)
        scope = source.module
        for name in names[:-1]:
            owner = next((b.node for b in scope.names.get(name, ()) if b.kind == "class"), None)
            if owner is None:
                return [UNKNOWN]
            scope = source.scopes[owner]
        bindings = scope.names.get(names[-1], ())
        found = [v for b in bindings[-1:] for v in values.bound(b, depth + 1)]
        self.read.update(inner.read)
        return found or [UNKNOWN]

    def _find(self, module: str) -> Path | None:
        level = len(module) - len(module.lstrip("."))
        parts = [p for p in module.lstrip(".").split(".") if p]
        if level:
            folder = self.path.parent
            for _ in range(level - 1):
                folder = folder.parent
            return _file(folder, parts)
        for folder in self.path.parents:
            if (parts and (folder / parts[0]).is_dir()) or (folder / f"{parts[0]}.py").is_file():
                return _file(folder, parts)
            if not (folder / "__init__.py").is_file() and folder != self.path.parent:
                break
        return None


def _splits(dotted: str) -> list[tuple[str, list[str]]]:
    """`.limits.Pauses.LONG` is module and name in one of several ways, the longest module first."""
    dots = len(dotted) - len(dotted.lstrip("."))
    parts = dotted.lstrip(".").split(".")
    return [("." * dots + ".".join(parts[:i]), parts[i:]) for i in range(len(parts) - 1, 0 if not dots else -1, -1)]


def _file(folder: Path, parts: list[str]) -> Path | None:
    base = folder.joinpath(*parts)
    if parts and base.with_suffix(".py").is_file():
        return base.with_suffix(".py")
    return base / "__init__.py" if (base / "__init__.py").is_file() else None


@lru_cache(maxsize=256)
def _parse(path: str, changed: int) -> tuple[Source, str] | None:
    content = Path(path).read_bytes()
    if len(content) > LARGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = content.decode()
            source = Source(Path(path), path, text, (Path(path).name,), False, ast.parse(text))
    except (SyntaxError, ValueError, RecursionError):
        return None
    return source, hashlib.sha256(content).hexdigest()
