"""Results by content: a file that has not changed, and reads nothing that has, is not checked again.

One JSON file per set of trees and working folder. It may be deleted at any time; one that cannot be read or written is ignored.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from .checker import Outcome, Target
from .records import from_record, to_record


class Cache:
    """Outcomes of earlier runs. Without a folder it remembers nothing."""

    def __init__(self, folder: Path | None, fingerprint: str, roots: Iterable[Path]) -> None:
        self.fingerprint = fingerprint
        _digest.cache_clear()
        where = "\0".join([os.getcwd(), *map(str, roots)])
        self.file = folder / f"{hashlib.sha256(where.encode()).hexdigest()[:16]}.json" if folder is not None else None
        self._known = self._load()
        self._kept: dict[str, dict[str, object]] = {}

    def get(self, target: Target, content: bytes) -> Outcome | None:
        """The outcome for this content at this path, unless something it depends on has changed."""
        entry = self._known.get(self._key(target, content))
        if not isinstance(entry, dict):
            return None
        try:
            outcome = from_record(entry)
        except (KeyError, TypeError, ValueError):
            return None
        if any(_digest(Path(path)) != digest for path, digest in outcome.read.items()):
            return None
        self._kept[self._key(target, content)] = entry
        return outcome

    def put(self, target: Target, content: bytes, outcome: Outcome) -> None:
        """Remember an outcome."""
        self._kept[self._key(target, content)] = to_record(outcome)

    def save(self) -> None:
        """Write what this run used; another run's file is replaced as a whole."""
        if self.file is None or self._kept == self._known:
            return
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            (self.file.parent / ".gitignore").write_text("*\n")
            beside = self.file.with_suffix(f".{os.getpid()}")
            beside.write_text(json.dumps({"fingerprint": self.fingerprint, "files": self._kept}))
            beside.replace(self.file)
        except OSError:
            return

    def _key(self, target: Target, content: bytes) -> str:
        return hashlib.sha256(repr((target.shown, target.parts, target.in_tests)).encode() + content).hexdigest()

    def _load(self) -> dict[str, object]:
        if self.file is None:
            return {}
        try:
            document = json.loads(self.file.read_text())
        except (OSError, ValueError):
            return {}
        if not isinstance(document, dict) or document.get("fingerprint") != self.fingerprint:
            return {}
        files = document.get("files")
        return files if isinstance(files, dict) else {}


def default_folder() -> Path:
    """Where results live unless told otherwise: the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(os.environ.get("RULES_CACHE") or os.path.join(home, "resilience-rules"))


@lru_cache(maxsize=8192)
def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
