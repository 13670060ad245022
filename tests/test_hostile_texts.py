"""Free texts are anybody's: they arrive unchanged in valid TOML, YAML, Markdown and Python, or are refused."""

import ast
import tomllib

import pytest
import yaml
from baking import Oven, Project
from test_filters import TEXTS, rendered_text


@pytest.fixture(params=list(TEXTS.values()), ids=list(TEXTS))
def text(request: pytest.FixtureRequest) -> str:
    """One text of a person who does not think of files."""
    return str(request.param)


@pytest.fixture
def project(text: str, bake: Oven) -> Project:
    """A bake in which all three free texts are that text; the names are given, for no name follows from it."""
    return bake(
        project_name=text,
        description=text,
        owner=text,
        project_slug="hostile",
        package_name="hostile",
        external_systems="sber",
        tasks="order_confirmation@sber",
    )


def literals(project: Project) -> set[str]:
    """All texts in the project's Python."""
    return {
        node.value
        for path in project.files()
        if path.endswith(".py")
        for node in ast.walk(ast.parse(project.read(path), path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def yaml_texts(project: Project) -> set[str]:
    """All texts in the project's YAML."""

    def texts(node: object) -> list[str]:
        if isinstance(node, dict):
            return [found for value in node.values() for found in texts(value)]
        if isinstance(node, list):
            return [found for value in node for found in texts(value)]
        return [node] if isinstance(node, str) else []

    return {
        found
        for path in project.files()
        if path.endswith((".yaml", ".yml"))
        for document in yaml.safe_load_all(project.read(path))
        for found in texts(document)
    }


def test_the_text_arrives_in_toml(project: Project, text: str) -> None:
    assert tomllib.loads(project.read("pyproject.toml"))["project"]["description"] == text


def test_the_text_arrives_in_markdown(project: Project, text: str) -> None:
    shown = rendered_text(project.read("README.md"))

    assert text.strip() in shown, "the description, as it was typed"
    assert " ".join(text.split()) in shown, "the title, on one line"


def test_the_text_arrives_in_python(project: Project, text: str) -> None:
    assert text in literals(project)


def test_the_text_arrives_in_yaml(project: Project, text: str) -> None:
    assert text in yaml_texts(project)
