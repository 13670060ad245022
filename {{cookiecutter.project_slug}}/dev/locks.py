"""Who uses a folder: a lock that the operating system drops with its holder."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .reaper import alive

CLEARING_UP_S = 15.0
"""A killed holder's reaper still holds the lock while it ends what was started; longer than that takes."""

PAUSE_S = 0.05


class FolderBusyError(Exception):
    """Another process uses the folder; `pid` is its number."""

    def __init__(self, pid: int) -> None:
        super().__init__(f"process {pid} uses it")
        self.pid = pid


@contextmanager
def locked(folder: Path, patience_s: float = CLEARING_UP_S) -> Iterator[int]:
    """Hold the lock of `folder`; yields the file descriptor that holds it.

    Args:
        patience_s: seconds to wait for the reaper of a holder that was killed.

    Raises:
        FolderBusyError: somebody else holds it and is alive.
    """
    path = folder / "lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        give_up = time.monotonic() + patience_s
        while not _try(descriptor):
            holder = int(path.read_text() or 0)
            if (holder and alive(holder)) or time.monotonic() > give_up:
                raise FolderBusyError(holder)
            time.sleep(PAUSE_S)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield descriptor
    finally:
        os.close(descriptor)


def _try(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
