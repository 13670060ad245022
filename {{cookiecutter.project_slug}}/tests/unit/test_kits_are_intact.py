"""The kits belong to the template: an edit here would be lost with the next update, and nobody else would have it."""

import hashlib
from pathlib import Path

import {{ cookiecutter.package_name }}

from dev.project import ROOT

MANIFEST = ROOT / "dev" / "kits.sha256"
PACKAGE = Path({{ cookiecutter.package_name }}.__file__).parent
KITS = ("resilience", "polling")
WAY_OUT = "Kits are the template's: undo the edit and use a setting, or change the template and run `cruft update`."


def recorded() -> dict[str, str]:
    lines = MANIFEST.read_text(encoding="utf-8").splitlines()
    return {path: digest for digest, _, path in (line.partition("  ") for line in lines)}


def present() -> dict[str, str]:
    files = (path for kit in KITS for path in (PACKAGE / kit).rglob("*.py"))
    return {path.relative_to(PACKAGE).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_no_file_of_the_kits_was_changed_added_or_removed() -> None:
    assert present() == recorded(), WAY_OUT


def test_the_record_names_both_kits() -> None:
    assert {path.partition("/")[0] for path in recorded()} == set(KITS)
