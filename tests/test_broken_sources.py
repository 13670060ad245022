"""A broken template says which source and line, all of them at once, and leaves nothing behind."""

import shutil
from pathlib import Path

import pytest
from baking import bake_into
from cookiecutter.exceptions import FailedHookException
from hook_modules import TEMPLATE

PROJECT = "{{cookiecutter.project_slug}}"


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """A template of our questions and hooks with one healthy source, to be broken."""
    root = tmp_path / "template"
    (root / PROJECT).mkdir(parents=True)
    shutil.copy(TEMPLATE / "cookiecutter.json", root)
    shutil.copytree(TEMPLATE / "hooks", root / "hooks", ignore=shutil.ignore_patterns("__pycache__"))
    put(root, "systems/__system__.txt.jinja", "{{ system.name }} {{ system.cls }} {{ system.env }} {{ package }}\n")
    return root


def put(template: Path, path: str, text: str) -> None:
    """Writes one source."""
    file = template / PROJECT / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def broken(template: Path, output: Path, capfd: pytest.CaptureFixture[str]) -> str:
    """Bakes a template that must fail and returns its message."""
    with pytest.raises(FailedHookException):
        bake_into(output, template=template)
    assert list(output.iterdir()) == []
    return capfd.readouterr().err


def test_sources_become_a_file_per_thing(template: Path, output: Path) -> None:
    put(template, "__task__/__task___row.txt.jinja", "{{ task.aggregate.id }} {{ task.system.name }}\n")
    put(template, "queue___further_task__.txt.jinja", "{{ task.action }}\n")
    put(template, "create___aggregate__.txt.jinja", "{{ aggregate.first_task.name }}\n")
    put(template, "once.txt.jinja", "{{ systems | length }} {{ aggregates | length }} {{ tasks | length }}\n")

    project = bake_into(output, {"tasks": "order_confirmation@sber, order_receipt@insurance"}, template)

    assert {path: project.read(path) for path in project.files()} == {
        "create_order.txt": "order_confirmation\n",
        "once.txt": "2 1 2\n",
        "order_confirmation/order_confirmation_row.txt": "order_id sber\n",
        "order_receipt/order_receipt_row.txt": "order_id insurance\n",
        "queue_order_receipt.txt": "receipt\n",
        "systems/insurance.txt": "insurance Insurance CLIENT_INSURANCE__ payments_service\n",
        "systems/sber.txt": "sber Sber CLIENT_SBER__ payments_service\n",
    }
    assert not list(project.root.rglob("*__*__*"))


def test_every_broken_source_is_named_with_its_line(
    template: Path, output: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    put(template, "one.txt.jinja", "fine\nfine\n{{ unknown }}\n")
    put(template, "two.txt.jinja", "fine\n{% if %}\n")
    put(template, "__system__/three.txt.jinja", "\n\n\n{{ system.nam }}\n")
    put(template, "four.txt.jinja", "{% filter imports %}\nnonsense\n{% endfilter %}\n")

    message = broken(template, output, capfd)

    assert "one.txt.jinja:3: UndefinedError: 'unknown' is undefined" in message
    assert "two.txt.jinja:2: TemplateSyntaxError" in message
    assert "__system__/three.txt.jinja:4: UndefinedError" in message
    assert "four.txt.jinja:" in message
    assert "not an import" in message


def test_two_sources_with_one_target_are_refused(
    template: Path, output: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    put(template, "systems/sber.txt.jinja", "mine\n")

    assert "systems/sber.txt.jinja:1: writes systems/sber.txt, as systems/__system__.txt.jinja does" in broken(
        template, output, capfd
    )


def test_a_source_must_not_replace_a_plain_file(
    template: Path, output: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    put(template, "systems/sber.txt", "mine\n")

    assert "systems/__system__.txt.jinja:1: writes systems/sber.txt, which" in broken(template, output, capfd)


def test_two_kinds_of_placeholder_in_one_path_are_refused(
    template: Path, output: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    put(template, "__system__/__task__.txt.jinja", "x\n")

    assert "__system__/__task__.txt.jinja:1: mixes the placeholders system, task" in broken(template, output, capfd)


def test_a_file_that_answers_chose_against_is_absent_with_its_folder(template: Path, output: Path) -> None:
    put(template, ".github/workflows/ci.yml.jinja", '{% if cookiecutter.ci == "github" %}\non: push\n{% endif %}\n')
    put(template, "empty.txt.jinja", "")

    with_it = bake_into(output / "with", template=template)
    without = bake_into(output / "without", {"ci": "none"}, template)

    assert with_it.read(".github/workflows/ci.yml") == "on: push\n"
    assert not (without.root / ".github").exists()
    assert without.read("empty.txt") == ""


def test_permissions_and_line_ends_survive(template: Path, output: Path) -> None:
    put(template, "run___system__.jinja", "#!/bin/sh\necho {{ system.name }}\n")
    (template / PROJECT / "run___system__.jinja").chmod(0o755)

    project = bake_into(output, template=template)

    assert (project.root / "run_sber").stat().st_mode & 0o111
    assert project.tree()["run_sber"] == b"#!/bin/sh\necho sber\n"


def test_files_of_the_user_are_no_sources_when_generating_over_them(template: Path, output: Path) -> None:
    project = bake_into(output, template=template)
    (project.root / "letter.txt.jinja").write_text("Dear {{ customer }}\n", encoding="utf-8")

    bake_into(output, template=template, overwrite=True)

    assert project.read("letter.txt.jinja") == "Dear {{ customer }}\n"
    assert not (project.root / "letter.txt").exists()


def test_caches_of_the_working_tree_do_not_come_along(template: Path, output: Path) -> None:
    put(template, "systems/__pycache__/module.cpython-311.pyc.txt", "x\n")

    assert "__pycache__" not in " ".join(bake_into(output, template=template).files())
