"""Child processes that end when we end: in order when we can see to it, by the reaper when we cannot."""

import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

REAPER = Path(__file__).with_name("reaper.py")


@dataclass(frozen=True, slots=True)
class Account:
    """The operating system's user that a process runs as."""

    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Child:
    """A started process, how it is told to end and how long that may take (seconds)."""

    name: str
    process: subprocess.Popen[bytes]
    stop_signal: int
    grace_s: float


class Processes:
    """Starts children, each in a session of its own, so that Ctrl-C reaches them from us and in our order."""

    def __init__(self, keep_open: Sequence[int] = ()) -> None:
        self._children: list[Child] = []
        # The file descriptors in `keep_open` (locks) stay open until the reaper has done its work.
        self._reaper = subprocess.Popen(
            [sys.executable, "-S", "-E", str(REAPER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=keep_open,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._children:
            self.stop(self._children[-1])
        if self._reaper.stdin:
            with suppress(BrokenPipeError):
                self._reaper.stdin.close()
        self._reaper.wait()

    def start(
        self,
        name: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        cwd: Path,
        stop_signal: int = signal.SIGTERM,
        killed_by: int = signal.SIGKILL,
        grace_s: float = 10.0,
        stdout: int | IO[bytes] | None = None,
        stderr: int | IO[bytes] | None = None,
        account: Account | None = None,
    ) -> Child:
        """Start `command`.

        Args:
            stop_signal: how it is told to end in order.
            killed_by: how the reaper ends it once we are gone.
            grace_s: seconds that ending in order may take.
            account: run it as this user (root only).
        """
        process = subprocess.Popen(
            command,
            env=dict(environment),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
        )
        child = Child(name, process, stop_signal, grace_s)
        self._children.append(child)
        self._tell(f"watch {process.pid} {int(killed_by)}")
        return child

    def stop(self, child: Child) -> int:
        """Tell it to end, kill it when it takes too long; returns the exit code."""
        if child.process.poll() is None:
            child.process.send_signal(child.stop_signal)
            try:
                child.process.wait(child.grace_s)
            except subprocess.TimeoutExpired:
                child.process.kill()
        return self.ended(child)

    def ended(self, child: Child) -> int:
        """Wait for its end and take it off the list; returns the exit code."""
        code = child.process.wait()
        self._tell(f"forget {child.process.pid}")
        if child in self._children:
            self._children.remove(child)
        return code

    def remove_at_end(self, folder: Path) -> None:
        """Delete `folder` after everything has ended."""
        self._tell(f"remove {folder}")

    def _tell(self, line: str) -> None:
        if self._reaper.stdin:
            with suppress(BrokenPipeError):  # somebody killed the reaper: we still end our children ourselves
                self._reaper.stdin.write(f"{line}\n".encode())
                self._reaper.stdin.flush()
