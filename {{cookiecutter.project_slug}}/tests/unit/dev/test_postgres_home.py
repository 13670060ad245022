"""Where PostgreSQL's files lie: nobody's folder is opened up for it, and nobody else's is used."""

import os
import shutil
from pathlib import Path

import pytest

from dev import postgres_home
from dev.postgres_home import (
    MADE_FOR,
    data_folder,
    mark_temporary,
    open_temp_directory,
    orphans,
    programs,
    socket_folder,
    temporary_folder,
)
from dev.project import DevError

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="root only: others need no folder of their own")
as_user = pytest.mark.skipif(os.geteuid() == 0, reason="root's data lies elsewhere")


@as_user
def test_the_data_lie_where_they_were_wanted(tmp_path: Path) -> None:
    assert data_folder(tmp_path / "a" / "b") == tmp_path / "a" / "b"


@as_root
def test_roots_data_lie_in_the_temp_directory_and_not_in_the_project(tmp_path: Path) -> None:
    wanted = tmp_path / "home" / "project" / ".dev" / "postgresql"

    folder = data_folder(wanted)

    assert folder.parent == open_temp_directory()
    assert folder == data_folder(wanted)
    assert folder != data_folder(wanted.with_name("postgresql-2"))
    assert not wanted.exists()
    for made in (folder, data_folder(wanted.with_name("postgresql-2"))):
        shutil.rmtree(made)


@pytest.fixture
def own_temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temp directory of the test's own: in the real one, whoever starts a database clears up."""
    shared = tmp_path / "temp"
    shared.mkdir()
    monkeypatch.setattr(postgres_home, "open_temp_directory", lambda: shared)
    return shared


@as_root
@pytest.mark.usefixtures("own_temp")
def test_a_project_made_anew_gets_a_new_database(tmp_path: Path) -> None:
    wanted = tmp_path / ".dev" / "postgresql"
    before = data_folder(wanted)

    shutil.rmtree(wanted.parent)
    after = data_folder(wanted)

    assert before != after
    assert before not in orphans(), "it was used a moment ago"
    os.utime(before / MADE_FOR, (0, 0))
    os.utime(after / MADE_FOR, (0, 0))
    assert orphans() == [before]


@as_root
@pytest.mark.usefixtures("own_temp")
def test_data_of_a_deleted_project_are_orphans_after_a_day(tmp_path: Path) -> None:
    folder = data_folder(tmp_path / ".dev" / "postgresql")
    os.utime(folder / MADE_FOR, (0, 0))
    assert folder not in orphans()

    shutil.rmtree(tmp_path / ".dev")

    assert orphans() == [folder]


def test_what_nobody_marked_is_not_ours_to_delete(own_temp: Path) -> None:
    folder = temporary_folder()
    (own_temp / "link").symlink_to(folder)
    assert orphans() == []

    mark_temporary(folder)

    assert orphans() == [folder]


@as_root
@pytest.mark.usefixtures("own_temp")
def test_programs_in_a_closed_home_are_copied_and_the_home_stays_closed(tmp_path: Path) -> None:
    installation = tmp_path / "home" / "pginstall18"
    (installation / "bin").mkdir(parents=True)
    program = installation / "bin" / "postgres"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    (tmp_path / "home").chmod(0o700)

    copied = postgres_home._copy(installation)

    assert not postgres_home._open_to_all(installation)
    assert (copied / "bin" / "postgres").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700
    assert postgres_home._copy(installation) == copied


def test_somebody_elses_folder_is_refused(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = tmp_path / "link"
    link.symlink_to(elsewhere)
    writable = tmp_path / "writable"
    writable.mkdir()
    writable.chmod(0o777)

    for folder in (link, writable):
        with pytest.raises(DevError, match="is not ours"):
            postgres_home._own_folder(folder)


def test_a_socket_does_not_lie_in_a_folder_with_a_long_path(tmp_path: Path) -> None:
    assert socket_folder(Path("/short")) == Path("/short")
    assert socket_folder(tmp_path / ("long" * 25)) is None


def test_there_is_a_postgresql() -> None:
    found = programs()

    assert int(found.major) >= 18
    assert os.access(found.path("initdb"), os.X_OK)
