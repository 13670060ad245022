"""A service of a maximal answer set passes everything that it came with, by its own make, with its own set-up."""

import subprocess
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from answer_sets import MAXIMAL
from baking import Oven, Project

# Settings of the developer must not reach the tests of the service.
FOREIGN = {
    "DATABASE_URL": "postgresql+asyncpg://nobody@127.0.0.1:1/nothing",
    "CLIENT_SBER__BASE_URL": "http://127.0.0.1:1",
}
LIMIT_S = 900  # for one verb; a quiet machine needs a third


@pytest.fixture(scope="module")
def project(bake: Oven) -> Project:
    """A bake that sets itself up as a team's would."""
    return bake.fresh(**MAXIMAL)


@pytest.fixture(scope="module")
def suites(project: Project) -> Iterator[dict[str, Future[str]]]:
    """Both suites of the service at once: they wait more than they compute, and there are two cores at least."""
    with ThreadPoolExecutor(2) as pool:
        yield {
            verb: pool.submit(project.run, "make", verb, timeout_s=LIMIT_S, variables=FOREIGN)
            for verb in ("test", "test-kit")
        }


def test_its_own_make_check_is_green(project: Project) -> None:
    project.run("make", "check", timeout_s=LIMIT_S, variables=FOREIGN)


@pytest.mark.parametrize("verb", ["test", "test-kit"])
def test_its_own_suites_are_green(suites: dict[str, Future[str]], verb: str) -> None:
    try:
        print(suites[verb].result()[-1500:])
    except subprocess.TimeoutExpired as error:
        pytest.fail(f"make {verb} took longer than {LIMIT_S} s: {(error.output or b'')[-3000:]!r}")


def test_nothing_of_that_leaves_a_file_that_git_would_see(project: Project, bake: Oven) -> None:
    project.run("git", "init", "--quiet")

    untracked = set(project.run("git", "ls-files", "--others", "--exclude-standard").splitlines())

    assert untracked == set(bake(**MAXIMAL).files())
