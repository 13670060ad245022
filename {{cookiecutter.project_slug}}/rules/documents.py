"""The OpenAPI document beside an adapter: which requests it describes."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from .clients import METHODS

FOLDER = "openapi"
SUFFIXES = (".yaml", ".yml", ".json")
KEY = re.compile(r"""^(?P<indent> *)(?P<quote>["']?)(?P<key>[^\s"'#][^"'#]*?)(?P=quote):(\s|$)""")
BASE = re.compile(r"^(v\d+|api|rest)$")
PARAMETER = re.compile(r"\{[^{}]*\}")

Operations = set[tuple[str, str]]  # method and path


def documents_of(file: Path) -> list[Path]:
    """The documents in the folder `openapi` beside a file, as far as they are there."""
    folder = file.parent / FOLDER
    return sorted(p for p in folder.iterdir() if p.suffix in SUFFIXES) if folder.is_dir() else []


def operations_of(text: str) -> Operations:
    """The requests that a document describes, JSON or YAML in block style; nothing when it cannot be read."""
    if text.lstrip().startswith("{"):
        return _of_json(text)
    return set(_of_yaml(text.splitlines()))


def describes(operations: Operations, method: str, path: str) -> bool:
    """Whether one of the requests is this one; a parameter stands for anything, a version may precede the path."""
    return any(m == method and _matches(p, path) for m, p in operations)


def _matches(described: str, sent: str) -> bool:
    there, here = described.strip("/").split("/"), sent.partition("?")[0].strip("/").split("/")
    before, rest = here[: max(len(here) - len(there), 0)], here[-len(there) :]
    return (
        len(here) >= len(there)
        and all(BASE.match(part) for part in before)
        and all(a in ("{}", b) for a, b in zip(there, rest, strict=True))
    )


def _of_json(text: str) -> Operations:
    try:
        paths = json.loads(text).get("paths")
    except (ValueError, AttributeError):
        return set()
    found = paths.items() if isinstance(paths, dict) else ()
    return {(m, PARAMETER.sub("{}", p)) for p, item in found if isinstance(item, dict) for m in item if m in METHODS}


def _of_yaml(lines: list[str]) -> Iterator[tuple[str, str]]:
    """The keys of two levels below `paths:`; all else of YAML is left alone."""
    path, depth, inside = "", 0, False
    for line in lines:
        match = KEY.match(line)
        if match is None:
            continue
        indent, key = len(match["indent"]), match["key"]
        if indent == 0:
            inside = key == "paths"
        elif inside and key.startswith("/"):
            path, depth = PARAMETER.sub("{}", key), indent
        elif inside and path and key in METHODS and indent > depth and indent <= depth + 4:
            yield key, path
