"""What must hold for every statement, whatever it does."""

import re

import pytest
from sqlalchemy import BigInteger, Column, MetaData, Table

from {{ cookiecutter.package_name }}.polling import (
    acceptance,
    events,
    further_task,
    operators,
    retention,
    statements,
)
from {{ cookiecutter.package_name }}.polling.identifiers import statement, task_names
from {{ cookiecutter.package_name }}.polling.tables import task_table

MODULES = (acceptance, events, further_task, operators, retention, statements)
TEXTS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": str(getattr(value, "text", value))
    for module in MODULES
    for name, value in vars(module).items()
    if name.isupper() and re.search(r"\b(SELECT|INSERT|UPDATE|DELETE)\b", str(getattr(value, "text", value)))
}
FENCED = ("statements.COMPLETE", "statements.SETTLE", "statements.RENEW")


def test_there_are_statements_to_look_at() -> None:
    assert len(TEXTS) > 15


@pytest.mark.parametrize("name", TEXTS)
def test_seconds_only(name: str) -> None:
    """`interval '1 day'` has 25 hours on some days, and no clock but the database's may be asked."""
    assert not re.search(r"interval '(?!1 second')", TEXTS[name])
    assert "clock_timestamp" not in TEXTS[name]


@pytest.mark.parametrize("name", TEXTS)
def test_a_status_is_never_bound_where_an_index_must_be_found(name: str) -> None:
    assert not re.search(r"\bstatus (=|IN) \(?:", TEXTS[name])


@pytest.mark.parametrize("name", FENCED)
def test_every_write_of_a_worker_is_fenced(name: str) -> None:
    assert "t.claim_no = d.claim_no" in TEXTS[name]
    assert "claimed_by IS NOT NULL" in TEXTS[name]


def test_names_that_are_words_of_sql_are_quoted() -> None:
    aggregate = Table("as", MetaData(), Column("a_id", BigInteger, primary_key=True))
    table = task_table("select", aggregate)

    made = statement("SELECT $owner FROM $task_table", task_names(table)).text

    assert made == 'SELECT "a_id" FROM "select_task"'
