"""A PostgreSQL that a suite may restart: in order, or as if the machine had lost it."""

import asyncio
import os
import shutil
import signal
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Literal

from dev.postgres import embedded_postgresql
from dev.postgres_home import data_folder, note_of

Mode = Literal["fast", "immediate"]


class RestartableServer:
    """Runs on one folder, whatever happens to its processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = ExitStack()
        self.url = self._stack.enter_context(embedded_postgresql(folder))

    def _restart(self, mode: Mode) -> None:
        if mode == "immediate":
            pid_file = data_folder(self._folder) / "data" / "postmaster.pid"
            postmaster = int(pid_file.read_text().splitlines()[0])
            os.kill(postmaster, signal.SIGQUIT)  # no checkpoint, no goodbye: recovery at the next start
            while pid_file.exists():
                time.sleep(0.02)
        self._stack.close()
        url = self._stack.enter_context(embedded_postgresql(self._folder))
        assert url == self.url

    async def restart(self, mode: Mode) -> None:
        """Stop and start it; returns when it answers again."""
        await asyncio.to_thread(self._restart, mode)

    def close(self) -> None:
        """Stop it and delete its data."""
        self._stack.close()
        shutil.rmtree(data_folder(self._folder), ignore_errors=True)
        shutil.rmtree(self._folder, ignore_errors=True)
        note_of(self._folder).unlink(missing_ok=True)


@asynccontextmanager
async def restartable_server() -> AsyncIterator[RestartableServer]:
    """Give a server of its own."""
    server = await asyncio.to_thread(lambda: RestartableServer(Path(tempfile.mkdtemp(prefix="pg-"))))
    try:
        yield server
    finally:
        await asyncio.to_thread(server.close)
