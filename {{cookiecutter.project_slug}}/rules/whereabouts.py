"""Where a dotted name lies in the file system: the file of its module, and the names that are left."""

from functools import lru_cache
from pathlib import Path

ABOVE = 12  # folders above a file in which its imports are looked for, when the root of the tree is not known


@lru_cache(maxsize=4096)
def locate(path: Path, root: Path | None, dotted: str) -> tuple[Path, list[str]] | None:
    """`.limits.Pauses.LONG` seen from a file is `limits.py` and `Pauses`, `LONG`; None outside the tree."""
    level = len(dotted) - len(dotted.lstrip("."))
    parts = [p for p in dotted.lstrip(".").split(".") if p]
    if not parts:
        return None
    if level:
        folder = path.parent
        for _ in range(level - 1):
            folder = folder.parent
        return _longest(folder, parts, 0)
    for folder in _folders(path.parent, root):
        if _holds(folder, parts[0]):
            return _longest(folder, parts, 1)
    return None


def _longest(folder: Path, parts: list[str], least: int) -> tuple[Path, list[str]] | None:
    for count in range(len(parts), least - 1, -1):
        base = folder.joinpath(*parts[:count])
        for file in (base.with_suffix(".py"), base / "__init__.py") if count else (base / "__init__.py",):
            if _is_file(file):
                return file, parts[count:]
    return None


@lru_cache(maxsize=1024)
def _folders(folder: Path, root: Path | None) -> tuple[Path, ...]:
    """The folders that absolute imports can start from: those above a file, within the tree, and `src` in them."""
    found: list[Path] = []
    for above in (folder, *list(folder.parents)[:ABOVE]):
        found.extend((above, above / "src"))
        outside = root is None and not (above / "__init__.py").is_file() and above != folder
        if outside or (root is not None and above == root.parent):
            break
    return tuple(found)


@lru_cache(maxsize=4096)
def _holds(folder: Path, name: str) -> bool:
    return (folder / name).is_dir() or (folder / f"{name}.py").is_file()


@lru_cache(maxsize=4096)
def _is_file(path: Path) -> bool:
    return path.is_file()


def forget() -> None:
    """Look anew: files may have come and gone."""
    for remembered in (locate, _folders, _holds, _is_file):
        remembered.cache_clear()
