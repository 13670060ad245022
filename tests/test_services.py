"""Bakes are judged by their own tools and run as real processes: green checks must not hide a dead service."""

from pathlib import Path

import pytest
from answer_sets import NAMED
from baking import Oven, Project
from booting import booted, wait_for_task
from environments import FOLDER, service_environment
from hook_modules import pre_gen

BOOTED = ("no-task", "one-letter", "forty-characters", "large")


@pytest.fixture(scope="session")
def python(bake: Oven) -> Path:
    """Interpreter of the environment that all services share."""
    return service_environment(bake())


@pytest.fixture(params=list(NAMED.values()), ids=list(NAMED))
def project(request: pytest.FixtureRequest, bake: Oven) -> Project:
    """The bake of one set of answers."""
    return bake(**request.param)


def test_the_formatter_would_change_nothing(project: Project, python: Path) -> None:
    project.run(python, "-m", "ruff", "format", "--check", "--no-cache", "--diff", ".")


def test_the_linter_finds_nothing(project: Project, python: Path) -> None:
    project.run(python, "-m", "ruff", "check", "--no-cache", ".")


def test_types_are_strict(project: Project, python: Path) -> None:
    project.run(python, "-m", "mypy", "--cache-dir", FOLDER.parent / "mypy")


def test_layers_hold(project: Project, python: Path) -> None:
    report = project.run(
        python.with_name("lint-imports"), "--no-cache", variables={"PYTHONPATH": str(project.root / "src")}
    )

    assert " 0 broken" in report


@pytest.mark.parametrize("name", BOOTED)
def test_a_real_process_answers(name: str, bake: Oven, python: Path, tmp_path: Path) -> None:
    project = bake.fresh(**NAMED[name])
    model = pre_gen.judge(pre_gen.DEFAULTS | NAMED[name]).model

    with booted(project, python, tmp_path) as running:
        assert running.management("/health/live").json() == {"status": "live"}
        ready = running.management("/health/ready").json()
        assert ready["database"] == "up"
        assert set(ready["systems"]) == {system["name"] for system in model["systems"]}
        metrics = running.management("/metrics")
        assert metrics.status == 200
        assert b"# TYPE" in metrics.body
        assert running.public("/nowhere").status == 404
        for aggregate in model["aggregates"][:3]:
            accepted = running.public(aggregate["url"], {"payload": {"amount": 100}})
            assert accepted.status == 202, accepted
            assert accepted.headers["location"] == f"{aggregate['url']}/{accepted.json()[aggregate['id']]}"
            assert (
                wait_for_task(running, accepted.headers["location"], aggregate["first_task"])["status"] == "COMPLETED"
            )


def test_names_of_everything_installed_are_refused_for_package_and_slug(bake: Oven, python: Path) -> None:
    """A package called like a dependency would hide it; a distribution called like one would replace it."""
    script = (
        "import importlib.metadata as m; "
        "print(*{d.metadata['Name'] for d in m.distributions()}, *m.packages_distributions(), sep='\\n')"
    )

    installed = {name.lower().replace("-", "_") for name in bake().run(python, "-c", script).split()}

    ordinary = {name for name in installed if pre_gen.PACKAGE.fullmatch(name)}
    assert sorted(name for name in ordinary if not pre_gen.package_problem(name)) == []
