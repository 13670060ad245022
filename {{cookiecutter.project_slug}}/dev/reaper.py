"""Ends what its parent started once the parent is gone, however it went: the pipe to it closes even on kill -9.

Runs as a process of its own and in a session of its own. Its standard input takes lines: `watch PID SIGNAL` (end that
process by that signal), `forget PID`, `remove FOLDER`. At the end of the input it does what is still on the list.
"""

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterable

PATIENCE_S = 10.0
"""PostgreSQL writes a checkpoint when it is told to end; whoever takes longer than this is killed."""

PAUSE_S = 0.02


def alive(pid: int) -> bool:
    """Tell whether a process of this number exists and has not ended: a container's init may leave zombies for ever."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not zombie(pid)


def zombie(pid: int) -> bool:
    """Tell whether a process has ended and nobody asked for its exit code; False where there is no `/proc`."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as status:
            return status.read().rpartition(b")")[2].split()[0] == b"Z"
    except OSError:
        return False


def send(pid: int, number: int) -> None:
    """Send a signal to a process that may have ended already."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def end(watched: Iterable[tuple[int, int]]) -> None:
    """End the processes (pid, signal) and wait until they are gone."""
    pids = []
    for pid, number in watched:
        send(pid, number)
        pids.append(pid)
    give_up = time.monotonic() + PATIENCE_S
    while any(map(alive, pids)) and time.monotonic() < give_up:
        time.sleep(PAUSE_S)
    for pid in pids:
        send(pid, signal.SIGKILL)


def main() -> None:
    """Read what to look after, wait for the parent's end, clear up."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # only the parent's end ends it
    watched: dict[int, int] = {}
    folders: list[str] = []
    for line in sys.stdin:
        match line.rstrip("\n").split(" ", 1):
            case ["watch", rest]:
                pid, stop_signal = map(int, rest.split())
                watched[pid] = stop_signal
            case ["forget", rest]:
                watched.pop(int(rest), None)
            case ["remove", folder]:
                folders.append(folder)
    end(reversed(watched.items()))
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
