"""The same answers give the same bytes however people use the template."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import pytest
from answer_sets import MAXIMAL
from baking import Oven, Project
from pytest_cookies.plugin import Cookies

BIN = Path(sys.executable).parent


def generate(command: Sequence[str | Path], output: Path, home: dict[str, str]) -> Project:
    """Runs a command line in the output folder and returns the one project that it makes."""
    done = subprocess.run(
        [str(word) for word in command], cwd=output, env=home, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = [path for path in output.iterdir() if path.is_dir()]
    return Project(made)


def as_arguments(answers: dict[str, str]) -> list[str]:
    """Returns the answers as arguments of the command line."""
    return [f"{name}={value}" for name, value in answers.items()]


@pytest.fixture
def expected(bake: Oven) -> dict[str, bytes]:
    """The bytes of a bake by path."""
    return bake(**MAXIMAL).tree()


def test_from_a_git_repository(
    repository: Path, output: Path, home: dict[str, str], expected: dict[str, bytes]
) -> None:
    command: list[str | Path] = [BIN / "cookiecutter", f"file://{repository}", "--no-input", *as_arguments(MAXIMAL)]

    assert generate(command, output, home).tree() == expected


def test_from_a_zip(
    repository: Path, output: Path, home: dict[str, str], expected: dict[str, bytes], tmp_path: Path
) -> None:
    archive = tmp_path / "template.zip"
    subprocess.run(
        ["git", "archive", "--format=zip", "--prefix=resilient-service/", f"--output={archive}", "HEAD"],
        cwd=repository,
        check=True,
    )
    with ZipFile(archive) as opened:
        assert opened.testzip() is None

    assert (
        generate([BIN / "cookiecutter", archive, "--no-input", *as_arguments(MAXIMAL)], output, home).tree() == expected
    )


def test_from_a_configuration_file_with_lists_as_block_text(
    template: Path, output: Path, home: dict[str, str], bake: Oven, tmp_path: Path
) -> None:
    config = tmp_path / "answers.yaml"
    config.write_text(
        "default_context:\n"
        "  external_systems: |\n    sber\n    insurance\n    crm\n"
        "  tasks: |\n    order_confirmation@sber\n\n    lead_import@crm\n",
        encoding="utf-8",
    )

    made = generate([BIN / "cookiecutter", template, "--no-input", "--config-file", config], output, home)

    assert (
        made.tree()
        == bake(external_systems="sber, insurance, crm", tasks="order_confirmation@sber, lead_import@crm").tree()
    )


def test_replay(template: Path, output: Path, home: dict[str, str], expected: dict[str, bytes], tmp_path: Path) -> None:
    first = tmp_path / "first"
    first.mkdir()
    generate([BIN / "cookiecutter", template, "--no-input", *as_arguments(MAXIMAL)], first, home)

    assert generate([BIN / "cookiecutter", template, "--replay"], output, home).tree() == expected


def test_answers_typed_at_the_prompts(template: Path, output: Path, home: dict[str, str], bake: Oven) -> None:
    typed = ["Lead Desk", "", "", "", "", "crm", "lead_import@crm", "3.12", "gitlab", "MIT"]
    done = subprocess.run(
        [str(BIN / "cookiecutter"), str(template)],
        input="\n".join(typed) + "\n",
        cwd=output,
        env=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr

    answers = {
        "project_name": "Lead Desk",
        "external_systems": "crm",
        "tasks": "lead_import@crm",
        "python_version": "3.12",
        "ci": "gitlab",
    }
    assert Project(output / "lead-desk").tree() == bake(**answers).tree()
    prompts = json.loads((template / "cookiecutter.json").read_text(encoding="utf-8"))["__prompts__"]
    shown = " ".join(done.stdout.split())
    assert all(" ".join(prompt.split()) in shown for prompt in prompts.values())


def test_pytest_cookies(template: Path, cookies: Cookies, expected: dict[str, bytes]) -> None:
    result = cookies.bake(extra_context=MAXIMAL, template=str(template))

    assert result.exception is None
    assert result.exit_code == 0
    assert Project(result.project_path).tree() == expected


def test_cruft_create_and_check(
    repository: Path, output: Path, home: dict[str, str], expected: dict[str, bytes]
) -> None:
    """cruft records commit and answers; a project fresh from it has nothing to update."""
    answers = json.dumps(MAXIMAL)
    command: list[str | Path] = [
        BIN / "cruft",
        "create",
        f"file://{repository}",
        "--no-input",
        "--extra-context",
        answers,
    ]

    made = generate(command, output, home)

    assert made.tree() == expected
    assert json.loads(made.read(".cruft.json"))["context"]["cookiecutter"]["tasks"] == MAXIMAL["tasks"]
    made.run(BIN / "cruft", "check", variables=home)
    made.run("git", "init", "--quiet")
    assert made.run(BIN / "cruft", "diff", variables=home).strip() == ""
