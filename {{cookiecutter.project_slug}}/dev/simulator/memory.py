"""What the simulated systems must not forget when everything is restarted: keys and operations, in a file.

A real provider keeps them; without, a task that waits for its result would be told that there is no such operation.
Counters and behaviours begin afresh.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from .system import Operation, SimulatedSystem

REMEMBERED = 10_000
"""Keys: more than a developer has in flight, and a file of some megabytes at most."""

LINES_PER_KEY = 5
"""A key, its operation, its polls and its end; with more lines than that the file is written anew."""


class Memory:
    """Appends each change to a file as a line; the last line of a key counts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last: dict[tuple[str, str], str] = {}
        """The last line of each system's keys, the longest unchanged first."""
        self._lines = 0

    def recall(self, systems: Mapping[str, SimulatedSystem]) -> None:
        """Give the systems back what the file holds, and note what becomes of it from now on."""
        lines = self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else []
        for line in lines:
            note = _note(line)
            if note.get("system") in systems and note.get("key"):
                self._keep(note["system"], note["key"], line)
        for (name, key), line in self._last.items():
            systems[name].recall(key, _operation(_note(line)))
        self._write_anew()
        for name, system in systems.items():
            system.changed = partial(self.note, name)

    def note(self, system: str, key: str, operation: Operation | None) -> None:
        """Remember that a key was seen, or how its operation stands."""
        note: dict[str, object] = {"system": system, "key": key}
        if operation is not None:
            note |= {"id": operation.operation_id, "polls": operation.polls, "status": operation.status}
        line = json.dumps(note)
        self._keep(system, key, line)
        self._lines += 1
        if self._lines > REMEMBERED * LINES_PER_KEY:
            self._write_anew()
            return
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")

    def _keep(self, system: str, key: str, line: str) -> None:
        self._last.pop((system, key), None)
        self._last[system, key] = line
        if len(self._last) > REMEMBERED:
            del self._last[next(iter(self._last))]

    def _write_anew(self) -> None:
        unfinished = self._path.with_name(f"{self._path.name}.new")
        unfinished.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text("".join(f"{line}\n" for line in self._last.values()), encoding="utf-8")
        unfinished.replace(self._path)
        self._lines = len(self._last)


def _note(line: str) -> dict[str, Any]:
    """Read a line; the last one of a simulator that was killed may be half a line."""
    with suppress(ValueError):
        note: dict[str, Any] = json.loads(line)
        return note
    return {}


def _operation(note: Mapping[str, Any]) -> Operation | None:
    match note:
        case {"key": str(key), "id": str(operation_id), "polls": int(polls), "status": str(status)}:
            return Operation(operation_id, key, polls, status)
    return None
