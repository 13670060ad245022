"""What was added is found, and what does not fit is named with its file."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from {{ cookiecutter.package_name }}.infrastructure import discovery
from {{ cookiecutter.package_name }}.infrastructure.discovery import DiscoveryError, discover


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "found_here" / "things"
    folder.mkdir(parents=True)
    (tmp_path / "found_here" / "__init__.py").touch()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(discovery, "ROOT", "found_here")
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "found_here"]:
        del sys.modules[name]


def test_declarations_come_sorted_by_module_name(package: Path) -> None:
    (package / "b.py").write_text("THING = 'second'\n")
    (package / "a.py").write_text("THING = 'first'\n")

    assert discover("things", "THING", str) == ["first", "second"]


def test_a_module_without_its_declaration_is_named(package: Path) -> None:
    (package / "a.py").write_text("OTHER = 1\n")

    with pytest.raises(DiscoveryError, match=r"things.a\.py: define `THING = str\(\.\.\.\)`"):
        discover("things", "THING", str)


def test_a_declaration_of_another_type_is_named(package: Path) -> None:
    (package / "a.py").write_text("THING = 1\n")

    with pytest.raises(DiscoveryError, match="define `THING"):
        discover("things", "THING", str)


def test_private_and_skipped_modules_are_left_out(package: Path) -> None:
    (package / "_draft.py").write_text("raise RuntimeError\n")
    (package / "db.py").write_text("raise RuntimeError\n")

    assert discover("things", "THING", str, skip={"db"}) == []


def test_a_package_that_is_not_there_has_nothing(package: Path) -> None:
    assert discover("nothing", "THING", str) == []


def test_a_broken_import_inside_a_module_is_not_taken_for_an_absent_package(package: Path) -> None:
    (package / "a.py").write_text("import a_library_that_is_not_there\n")

    with pytest.raises(ModuleNotFoundError, match="a_library_that_is_not_there"):
        discover("things", "THING", str)
