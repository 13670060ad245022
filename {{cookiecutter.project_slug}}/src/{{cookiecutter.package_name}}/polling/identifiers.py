"""Names of tables and columns as SQL: they come from answers, and `as` or `order` must be quoted."""

from collections.abc import Mapping
from string import Template

from sqlalchemy import Table, TextClause, text

from .tables import OPEN, id_column


def quoted(name: str) -> str:
    """Return a name as an identifier, whatever it is."""
    return '"' + name.replace('"', '""') + '"'


def task_names(table: Table) -> dict[str, str]:
    """Return what the statements of one task table are made of; `owner` is the column with the aggregate's id."""
    return {
        "task_table": quoted(table.name),
        "owner": quoted(f"{table.info['aggregate']}_id"),
    }


def aggregate_names(table: Table) -> dict[str, str]:
    """Return what the statements on an aggregate's table are made of."""
    return {
        "aggregate_table": quoted(table.name),
        "aggregate_id": quoted(id_column(table)),
    }


def statement(template: str, *names: Mapping[str, str]) -> TextClause:
    """Return a statement with its `$names` put in; `$open` is the predicate of the partial indexes, spelled out.

    Values are never put in here: they are `:bound`.
    """
    known = {"open": OPEN}
    for mapping in names:
        known |= mapping
    return text(Template(template).substitute(known))
