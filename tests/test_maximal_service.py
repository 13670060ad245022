"""A service of a maximal answer set passes everything that it came with, by its own make, with its own set-up."""

import pytest
from answer_sets import MAXIMAL
from baking import Oven, Project


@pytest.fixture(scope="module")
def project(bake: Oven) -> Project:
    """A bake that sets itself up as a team's would."""
    return bake.fresh(**MAXIMAL)


@pytest.mark.parametrize("verb", ["check", "test", "test-kit"])
def test_its_own_make_is_green(project: Project, verb: str) -> None:
    # Settings of the developer must not reach the tests of the service.
    hostile = {
        "DATABASE_URL": "postgresql+asyncpg://nobody@127.0.0.1:1/nothing",
        "CLIENT_SBER__BASE_URL": "http://127.0.0.1:1",
    }

    print(project.run("make", verb, timeout_s=600, variables=hostile)[-1500:])


def test_its_checks_leave_no_file_that_git_would_see(project: Project) -> None:
    project.run("git", "init", "--quiet")

    untracked = project.run("git", "ls-files", "--others", "--exclude-standard").splitlines()

    assert sorted(untracked) == sorted(set(untracked) & set(project.files()))
    assert not [path for path in untracked if "__pycache__" in path or path.startswith((".venv", "build/"))]
