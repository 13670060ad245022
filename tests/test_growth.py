"""Adding a system, an aggregate or a task adds files and changes none: the promise of the whole layout."""

import json
import sys
from pathlib import Path

import pytest
from baking import Oven, Project

BEFORE = {
    "external_systems": "sber, insurance",
    "tasks": "order_confirmation@sber, policy_issue@insurance",
}
GROWTH = {
    "a system": ({"external_systems": "sber, insurance, crm"}, "crm"),
    "a system in front": ({"external_systems": "crm, sber, insurance"}, "crm"),
    "an aggregate": ({"tasks": "order_confirmation@sber, policy_issue@insurance, lead_import@sber"}, "lead"),
    "an aggregate in front": ({"tasks": "lead_import@sber, order_confirmation@sber, policy_issue@insurance"}, "lead"),
    "a further task": (
        {"tasks": "order_confirmation@sber, policy_issue@insurance, order_receipt@insurance"},
        "order_receipt",
    ),
    "a system with a further task and an aggregate": (
        {
            "external_systems": "sber, insurance, crm",
            "tasks": "order_confirmation@sber, policy_issue@insurance, order_sync@crm, purchase_order.receipt@crm",
        },
        "crm",
    ),
}


@pytest.mark.parametrize(("more", "name"), GROWTH.values(), ids=list(GROWTH))
def test_growth_adds_files_and_changes_none(bake: Oven, more: dict[str, str], name: str) -> None:
    before, after = bake(**BEFORE).tree(), bake(**BEFORE | more).tree()

    assert {path for path in before if path not in after} == set()
    assert {path for path in before if before[path] != after[path]} == set()
    added = after.keys() - before.keys()
    assert any(name in path for path in added)


def test_a_first_task_in_a_service_without_any_adds_files_and_changes_none(bake: Oven) -> None:
    before = bake(external_systems="sber", tasks="").tree()
    after = bake(external_systems="sber", tasks="order_confirmation@sber").tree()

    assert {path for path in before if before[path] != after.get(path)} == set()
    assert after.keys() > before.keys()


@pytest.fixture
def living(repository: Path, output: Path, home: dict[str, str]) -> Project:
    """A service made with cruft, committed, and edited by its team since."""
    cruft = Path(sys.executable).with_name("cruft")
    answers = [f"--extra-context={json.dumps(BEFORE)}", "--no-input", f"--output-dir={output}"]
    Project(output).run(cruft, "create", f"file://{repository}", *answers, variables=home)
    project = Project(output / "payments-service")
    project.run("git", "init", "--quiet", variables=home)
    adapter = project.source / "adapters" / "outbound" / "sber" / "adapter.py"
    adapter.write_text(adapter.read_text(encoding="utf-8").replace('"""', '"""Ours now. ', 1), encoding="utf-8")
    (project.source / "domain" / "discount.py").write_text('"""A rule of ours."""\n', encoding="utf-8")
    commit(project, home)
    return project


def commit(project: Project, home: dict[str, str]) -> None:
    """Commits everything."""
    project.run("git", "add", "--all", variables=home)
    project.run("git", "commit", "--quiet", "--message", "So far", variables=home)


def test_a_living_service_grows_by_one_command(living: Project, home: dict[str, str], bake: Oven) -> None:
    before = living.tree()
    for verb, name in [
        ("add-system", "crm"),
        ("add-task", "lead_import@crm"),
        ("add-task", "order_receipt@sber"),
    ]:
        living.run("make", verb, f"NAME={name}", variables=home, timeout_s=300)
        changes = living.run("git", "status", "--porcelain", "--untracked-files=all", variables=home).splitlines()
        assert {line[3:] for line in changes if not line.startswith(("A ", "??"))} == {".cruft.json"}
        commit(living, home)

    after, grown = (
        living.tree(),
        bake(
            external_systems="sber, insurance, crm",
            tasks="order_confirmation@sber, policy_issue@insurance, lead_import@crm, order_receipt@sber",
        ),
    )
    tracked = set(living.run("git", "ls-files", variables=home).splitlines()) - {".cruft.json"}
    assert tracked == {*grown.files(), "src/payments_service/domain/discount.py"}
    assert all(after[path] == before[path] for path in before if path in tracked)
    assert all(after[path] == content for path, content in grown.tree().items() if path not in before)


def test_a_refused_name_leaves_a_living_service_as_it_was(living: Project, home: dict[str, str]) -> None:
    with pytest.raises(AssertionError, match="is a Python keyword"):
        living.run("make", "add-system", "NAME=class", variables=home, timeout_s=300)

    assert living.run("git", "status", "--porcelain", variables=home) == ""
