"""`python -m dev.simulator [file]` plays the project's external systems on `SIMULATOR_PORT` (8100; 0 takes a free one).

With a file it remembers operations and keys from one start to the next.
"""

import asyncio
import os
import socket
import sys
from pathlib import Path

from ..ports import DEFAULTS, LOOPBACK
from ..project import systems
from .server import serve

VARIABLE = "SIMULATOR_PORT"


def main() -> int:
    """Run the simulator; returns the exit code."""
    text = os.environ.get(VARIABLE) or str(DEFAULTS[VARIABLE])
    try:
        listener = socket.create_server((LOOPBACK, int(text)))
    except (OSError, ValueError, OverflowError) as error:
        print(f"cannot listen on {LOOPBACK}:{text} ({error}): set {VARIABLE} to a free port, or to 0", file=sys.stderr)
        return 1
    memory = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    asyncio.run(serve(systems(), listener, memory))
    return 0


if __name__ == "__main__":
    sys.exit(main())
