"""Just enough Markdown for the tests of the documents: headings, tables, links and code spans."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#{1,6}) +(.+?) *$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
CELL_BORDER = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Table:
    """A table with the heading above it; `rows` maps column titles to cells."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[dict[str, str], ...]


def prose(text: str) -> str:
    """Return `text` without fenced blocks."""
    return FENCE.sub("", text)


def headings(text: str) -> list[str]:
    """Return the headings of `text` in order."""
    return [title for _, title in HEADING.findall(prose(text))]


def anchors(text: str) -> set[str]:
    """Return the anchors that GitHub makes of the headings of `text`."""
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings(text)}


def links(text: str) -> list[str]:
    """Return the targets of the inline links of `text`."""
    return LINK.findall(prose(text))


def code_spans(text: str) -> list[str]:
    """Return what stands between backticks outside fenced blocks."""
    return CODE.findall(prose(text))


def tables(text: str) -> list[Table]:
    """Return the tables of `text`."""
    return list(_tables(prose(text)))


def table(page: Path, *columns: str) -> Table:
    """Return the one table of `page` that has these columns."""
    found = [t for t in tables(page.read_text()) if set(columns) <= set(t.columns)]
    assert len(found) == 1, f"{page}: {len(found)} tables with the columns {columns}"
    return found[0]


def _tables(text: str) -> Iterator[Table]:
    heading, block = "", list[list[str]]()
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            block.append([cell.strip().replace("\\|", "|") for cell in CELL_BORDER.split(line)[1:-1]])
            continue
        if block:
            columns, _, *rows = block
            for row in rows:
                assert len(row) == len(columns), f"under {heading!r}: {row} has not {len(columns)} cells"
            yield Table(heading, tuple(columns), tuple(dict(zip(columns, row, strict=True)) for row in rows))
            block = []
        if match := HEADING.match(line):
            heading = match[2]
