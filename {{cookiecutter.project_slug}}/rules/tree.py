"""The Python files of a source tree, with the path that findings show."""

import os
from collections.abc import Iterator
from pathlib import Path

from .checker import Target

NOT_SOURCE = {"__pycache__", "node_modules", "venv", "site-packages"}
TELLING = {"adapters", "outbound", "inbound", "use_cases", "repositories", "generated"}
ALONE = {"db", "domain", "routers"}  # count as the last folder that was named, not above it
SUFFIXES = (".py", ".pyi")


def targets(roots: list[Path]) -> list[Target]:
    """Every Python file once, in order; hidden folders, virtual environments and caches are left out."""
    found: dict[str, Target] = {}
    here = os.getcwd()
    for root in roots:
        given, whole = _parts(root), Path(os.path.abspath(root))
        folder = str(whole) if root.is_dir() else str(whole.parent)
        above = "tests" in ((whole.name,) if root.is_dir() else root.parts[:-1])
        for path in _files(str(whole), root.is_dir()):
            inner = tuple(os.path.relpath(path, folder).split(os.sep)) if root.is_dir() else ()
            shown = os.path.relpath(path, here).replace(os.sep, "/")
            in_tests = above or "tests" in inner[:-1]
            tree = whole if root.is_dir() else None
            found.setdefault(shown, Target(Path(path), shown, (*given, *inner), in_tests, tree))
    return [found[shown] for shown in sorted(found)]


def _parts(root: Path) -> tuple[str, ...]:
    """The folders of a root that tell a role; a checkout called `api` or `domain` is no folder of the layout."""
    names = root.resolve().parts[1:] if ".." in root.parts or root.is_absolute() else root.parts
    own = root.resolve().name
    if root.is_file():
        return (*(n for n in names[:-1] if n in TELLING), own)
    kept = [n for n in names[:-1] if n in TELLING]
    return (*kept, own) if own in TELLING or own in ALONE else tuple(kept)


def _files(root: str, is_folder: bool) -> Iterator[str]:
    if not is_folder:
        yield root
        return
    for folder, names, files in os.walk(root):
        names[:] = sorted(
            n for n in names if not n.startswith(".") and n not in NOT_SOURCE and not _environment(folder, n)
        )
        yield from (os.path.join(folder, f) for f in sorted(files) if f.endswith(SUFFIXES))


def _environment(folder: str, name: str) -> bool:
    return os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
