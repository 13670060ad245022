"""The table of traps is true: its tests exist, its mutations fit the kit, and README.md shows it as it is."""

import ast
from pathlib import Path

import pytest

from . import mutate
from .traps import TRAPS, Trap


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.what)
def test_a_traps_mutation_fits_the_kit(trap: Trap) -> None:
    for change in trap.changes:
        text = (mutate.KIT / change.file).read_text()

        assert text.count(change.old) == 1, change.old


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.what)
def test_a_traps_test_exists(trap: Trap) -> None:
    file, _, name = trap.test.partition("::")
    tree = ast.parse((mutate.PROJECT / file).read_text())

    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    assert name.partition("[")[0] in functions


def test_the_readme_shows_the_table() -> None:
    assert mutate.table() in Path(__file__).with_name("README.md").read_text()
