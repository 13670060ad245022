"""How the command line shows things: JSON for programs, a table for people."""

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import orjson

WIDTH = 40
"""Of a cell: an error's beginning is enough to know it; `show` has all of it."""


def print_text(line: str, *, error: bool = False) -> None:
    """Print one line for people."""
    print(line, file=sys.stderr if error else sys.stdout)


def print_json(value: object) -> None:
    """Print one JSON document."""
    print_text(orjson.dumps(value, default=str, option=orjson.OPT_INDENT_2).decode())


def print_rows(rows: Sequence[Mapping[str, Any]], *, as_json: bool) -> None:
    """Print rows that have the same columns; a table leaves out columns that are empty everywhere."""
    if as_json:
        print_json([dict(row) for row in rows])
        return
    if not rows:
        print_text("none")
        return
    columns = [name for name in rows[0] if any(row[name] is not None for row in rows)]
    lines = [columns, *([_cell(row[name]) for name in columns] for row in rows)]
    widths = [max(len(line[number]) for line in lines) for number in range(len(columns))]
    for line in lines:
        print_text("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    text = f"{value:.1f}" if isinstance(value, float) else " ".join(str(value).split())
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"
