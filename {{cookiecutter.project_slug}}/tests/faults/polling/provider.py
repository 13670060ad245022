"""An external system on a Unix socket: keyed submissions, statuses, faults; it outlives every worker and counts."""

import asyncio
import json
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path


class Provider:
    """One key, one effect. What it counted is the proof of a suite."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.latency_s = 0.02
        self.failing = False
        self.calls = 0
        self.submissions: Counter[str] = Counter()
        self.repeats: list[tuple[float, str]] = []
        """When a key came that was seen before, by the monotonic clock, and which."""
        self.references: dict[str, set[str]] = {}
        self.refused = 0

    @property
    def repeated_keys(self) -> int:
        """Submissions of a key that was seen before."""
        return len(self.repeats)

    @property
    def duplicate_effects(self) -> int:
        """Effects beyond one per task: a task that came under two keys."""
        return sum(len(keys) - 1 for keys in self.references.values())

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one call; a caller that is killed meanwhile has made its effect all the same."""
        with suppress(ConnectionError):
            if line := await reader.readline():
                await asyncio.sleep(self.latency_s)
                writer.write(json.dumps(self._answer(json.loads(line))).encode() + b"\n")
                await writer.drain()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    def _answer(self, call: dict[str, str]) -> dict[str, str]:
        self.calls += 1
        if self.failing:
            self.refused += 1
            return {"error": "503"}
        if "key" not in call:
            return {"status": "confirmed"}
        if call["key"] in self.submissions:
            self.repeats.append((time.monotonic(), call["key"]))
        self.submissions[call["key"]] += 1
        self.references.setdefault(call["reference"], set()).add(call["key"])
        return {"id": f"operation {call['reference']}"}


@asynccontextmanager
async def open_provider() -> AsyncIterator[Provider]:
    """Serve until the end of the block."""
    with tempfile.TemporaryDirectory(prefix="provider-") as folder:
        provider = Provider(Path(folder, "socket"))
        server = await asyncio.start_unix_server(provider.serve, provider.path, backlog=1000)
        try:
            yield provider
        finally:
            server.close()
            await asyncio.sleep(0.05 + provider.latency_s)  # calls of workers that are gone
