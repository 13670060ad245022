"""Where a dotted name lies in the file system: the file of its module, and the names that are left."""

import os
from functools import lru_cache

ABOVE = 12  # folders above a file in which its imports are looked for, when the root of the tree is not known


@lru_cache(maxsize=8192)
def locate(path: str, root: str, dotted: str) -> tuple[str, list[str]] | None:
    """`.limits.Pauses.LONG` seen from a file is `limits.py` and `Pauses`, `LONG`; None outside the tree."""
    bare = dotted.lstrip(".")
    level, parts = len(dotted) - len(bare), [p for p in bare.split(".") if p]
    if not parts:
        return None
    folder = os.path.dirname(path)
    if level:
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        return _longest(folder, parts, 0)
    start = _start(folder, root, parts[0])
    return _longest(start, parts, 1) if start else None


def forget() -> None:
    """Look anew: files may have come and gone."""
    for remembered in (locate, _start, _folders, _is_file):
        remembered.cache_clear()


def _longest(folder: str, parts: list[str], least: int) -> tuple[str, list[str]] | None:
    for count in range(len(parts), least - 1, -1):
        base = os.path.join(folder, *parts[:count])
        if count and _is_file(f"{base}.py"):
            return f"{base}.py", parts[count:]
        package = os.path.join(base, "__init__.py")
        if _is_file(package):
            return package, parts[count:]
    return None


@lru_cache(maxsize=8192)
def _start(folder: str, root: str, name: str) -> str:
    """The folder that holds the top of an absolute import; nothing outside the tree."""
    for above in _folders(folder, root):
        base = os.path.join(above, name)
        if os.path.isdir(base) or os.path.isfile(f"{base}.py"):
            return above
    return ""


@lru_cache(maxsize=1024)
def _folders(folder: str, root: str) -> tuple[str, ...]:
    """The folders that absolute imports can start from: those above a file, within the tree, and `src` in them."""
    found: list[str] = []
    above, last = folder, os.path.dirname(root) if root else ""
    for _ in range(ABOVE):
        found.extend((above, os.path.join(above, "src")))
        outside = not root and above != folder and not os.path.isfile(os.path.join(above, "__init__.py"))
        if outside or above in (last, os.path.dirname(above)):
            break
        above = os.path.dirname(above)
    return tuple(found)


@lru_cache(maxsize=8192)
def _is_file(path: str) -> bool:
    return os.path.isfile(path)
