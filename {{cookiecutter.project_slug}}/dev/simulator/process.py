"""The simulator as a process of its own: for the launcher and for tests."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..environment import scrubbed_environment
from ..processes import Child, Processes
from ..project import ROOT, DevError


def start_simulator(processes: Processes, port: int = 0, memory: Path | None = None) -> tuple[Child, str]:
    """Start it, wait until it listens, return it and its address; port 0 takes a free one.

    Args:
        memory: the file in which it remembers operations and keys from one start to the next.

    Raises:
        DevError: it does not start.
    """
    child = processes.start(
        "simulator",
        [sys.executable, "-m", "dev.simulator", *([str(memory)] if memory else [])],
        environment={**scrubbed_environment(), "SIMULATOR_PORT": str(port)},
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )
    address = ""
    if output := child.process.stdout:
        with output:
            address = output.readline().decode().strip()
    if not address:
        raise DevError(f"the simulator does not start (exit code {processes.ended(child)})")
    return child, address


@contextmanager
def running_simulator() -> Iterator[str]:
    """Run the simulator on a free port and yield its address."""
    with Processes() as processes:
        _, address = start_simulator(processes)
        yield address
