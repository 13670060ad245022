"""Every file in refused/ is a set of answers with one mistake: it is refused with value, reason and suggestion."""

import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from baking import bake_into, user_config
from cookiecutter.exceptions import FailedHookException
from cookiecutter.main import cookiecutter
from hook_modules import TEMPLATE, pre_gen

FILES = sorted((TEMPLATE / "tests" / "refused").glob("*.yaml"))
ANSWERS = list(pre_gen.DEFAULTS)


def load(file: Path) -> dict[str, Any]:
    """Reads a fixture: `default_context` as a user would write it, `refused` as the message must say it."""
    case = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert case.keys() == {"default_context", "refused"}
    return dict(case)


def refuse(answers: dict[str, Any], output: Path, capfd: pytest.CaptureFixture[str]) -> str:
    """Generates with answers from a configuration file and returns the message of the refusal."""
    with pytest.raises(FailedHookException):
        cookiecutter(
            str(TEMPLATE),
            no_input=True,
            output_dir=str(output),
            default_config=user_config(output.parent, **answers),
        )
    return capfd.readouterr().err


def suggested_answers(message: str) -> dict[str, str]:
    """Reads the command that the message offers."""
    (command,) = [line for line in message.splitlines() if line.startswith("  cookiecutter ")] or [""]
    return dict(word.split("=", 1) for word in shlex.split(command)[3:])


def test_there_are_enough_of_them() -> None:
    assert len(FILES) >= 60


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_answers_are_refused(file: Path, output: Path, capfd: pytest.CaptureFixture[str]) -> None:
    case = load(file)

    message = refuse(case["default_context"], output, capfd)

    for problem in case["refused"]:
        lines = [
            f"  {problem['answer']}: {problem['value']!r}",
            f"    reason:     {problem['reason']}",
            f"    suggestion: {problem['suggestion']}",
        ]
        assert "\n".join(lines) in message
    assert message.count("reason:") == len(case["refused"]), "no problem more, no problem less"
    assert "nothing was generated" in message
    assert list(output.iterdir()) == []
    assert not pre_gen.judge(suggested_answers(message)).problems, "what the message suggests must be accepted"


def test_the_suggested_command_generates(output: Path, capfd: pytest.CaptureFixture[str]) -> None:
    message = refuse(load(TEMPLATE / "tests/refused/everything_at_once.yaml")["default_context"], output, capfd)

    project = bake_into(output, suggested_answers(message))

    assert [path.name for path in output.iterdir()] == [project.root.name]
    assert project.files()


def test_the_message_names_the_template_that_was_used(output: Path, capfd: pytest.CaptureFixture[str]) -> None:
    message = refuse({"ci": "jenkins"}, output, capfd)

    assert f"cookiecutter {shlex.quote(str(TEMPLATE))} --no-input" in message


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_every_offered_python_is_accepted(python: str) -> None:
    assert not pre_gen.judge(pre_gen.DEFAULTS | {"python_version": python}).problems
