"""What every bake must be, whatever the answers: complete, parseable, deterministic, legal on every platform."""

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from answer_sets import MAXIMAL, NAMED
from baking import Oven, Project, bake_into
from hook_modules import TEMPLATE, pre_gen

SOURCES = TEMPLATE / "{{cookiecutter.project_slug}}"
PLACEHOLDER = r"__(?:system|aggregate|task|further_task)__"
LEFT_OVER = re.compile(
    rf"\{{%|\{{\{{ ?(?:cookiecutter|package|system|aggregate|task)\b|\bcookiecutter\.\w+|{PLACEHOLDER}"
)
ILLEGAL = re.compile(r'[<>:"|?*\\\x00-\x1f]|[ .]$')  # in a file name on Windows
KITS = ("resilience", "polling")


@pytest.fixture(params=list(NAMED.values()), ids=list(NAMED))
def project(request: pytest.FixtureRequest, bake: Oven) -> Project:
    """The bake of one set of answers."""
    return bake(**request.param)


def test_nothing_is_left_unrendered(project: Project) -> None:
    for path, content in project.tree().items():
        assert not re.search(rf"\.jinja$|\.scaffold|{PLACEHOLDER}", path)
        if path.startswith("docs/"):
            continue  # pages may speak about the template
        found = LEFT_OVER.search(content.decode("utf-8"))
        assert not found, f"{path}: {found and found.group()}"


def test_every_text_ends_with_one_line_end_and_has_no_carriage_return(project: Project) -> None:
    for path, content in project.tree().items():
        assert b"\r" not in content, path
        assert content == b"" or (content.endswith(b"\n") and not content.endswith(b"\n\n")), path


def test_every_file_parses(project: Project) -> None:
    for path in project.files():
        text = project.read(path)
        if path.endswith((".py", ".pyi")):
            ast.parse(text, path)
        elif path.endswith(".toml"):
            tomllib.loads(text)
        elif path.endswith((".yaml", ".yml")):
            list(yaml.safe_load_all(text))
        elif path.endswith(".json"):
            json.loads(text)


def test_file_names_are_legal_on_every_platform(project: Project) -> None:
    folded: dict[str, str] = {}
    for path in project.files():
        for part in path.split("/"):
            assert not ILLEGAL.search(part), path
            assert part.partition(".")[0].lower() not in pre_gen.WINDOWS, path
        assert folded.setdefault(path.casefold(), path) == path
        assert len(path) <= 200, f"{path}: Windows allows 260 characters, the folder above included"


def test_names_of_yaml_documents_stay_texts(project: Project) -> None:
    """A system called `on`, `no`, `y` or `null` is still a text where YAML would rather read a value."""

    def keys(node: object) -> list[object]:
        if isinstance(node, dict):
            return [*node, *(key for value in node.values() for key in keys(value))]
        return [key for value in node for key in keys(value)] if isinstance(node, list) else []

    for path in project.files():
        if path.endswith((".yaml", ".yml")) and not path.startswith(".github/"):  # GitHub's own key is `on`
            for document in yaml.safe_load_all(project.read(path)):
                assert all(isinstance(key, str) for key in keys(document)), path


def test_kits_are_byte_identical_in_every_service(project: Project, bake: Oven) -> None:
    def kit(service: Project) -> dict[str, bytes]:
        start = f"src/{service.package}/"
        return {
            path.removeprefix(start): content
            for path, content in service.tree().items()
            if path.startswith(tuple(f"{start}{name}/" for name in KITS))
        }

    assert kit(project) == kit(bake())
    assert {path.partition("/")[0] for path in kit(project)} == set(KITS)


def test_kits_hold_no_placeholder() -> None:
    files = [path for name in KITS for path in (SOURCES / "src/{{cookiecutter.package_name}}" / name).rglob("*.py")]
    assert files
    for path in files:
        assert not re.search(r"\{\{|\{%|cookiecutter", path.read_text(encoding="utf-8")), path


def test_output_is_deterministic(output: Path, bake: Oven) -> None:
    assert bake_into(output, MAXIMAL, bake.template).tree() == bake(**MAXIMAL).tree()


def test_no_file_enumerates_what_it_should_discover(bake: Oven) -> None:
    """Only files of a thing's own may name it, and files that belong to nobody name nothing."""
    odd = bake(external_systems="qwerty", tasks="asdfgh_zxcvbn@qwerty")
    for path, content in odd.tree().items():
        if not re.search("qwerty|asdfgh", path):
            assert not re.search("qwerty|asdfgh", content.decode("utf-8")), path


@pytest.mark.parametrize("ci", ["github", "gitlab", "none"])
def test_an_option_is_a_file_present_or_absent(bake: Oven, ci: str) -> None:
    files = bake(ci=ci).files()

    assert any(path.startswith(".github/workflows/") for path in files) == (ci == "github")
    assert (".gitlab-ci.yml" in files) == (ci == "gitlab")


@pytest.mark.parametrize(
    ("license_name", "first_words"),
    [("MIT", "MIT License"), ("Apache-2.0", "Apache License"), ("proprietary", "All rights reserved")],
)
def test_the_licence_is_the_one_that_was_asked_for(bake: Oven, license_name: str, first_words: str) -> None:
    project = bake(license=license_name)

    assert first_words in project.read("LICENSE")[:400]
    assert "license" in tomllib.loads(project.read("pyproject.toml"))["project"]
