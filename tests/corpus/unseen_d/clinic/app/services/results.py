from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass
class Result:
    sample: str
    ready: bool
    seen: date | None = None


class ResultService:
    def __init__(self, lab, notes) -> None:
        self.lab = lab
        self.notes = notes

    async def get(self, sample: str) -> Result:
        return await self.lab.result(sample)

    async def overview(self, samples: list[str]) -> list[Result]:
        found: list[Result] = []
        while samples:  # looks like ASYNC-1-MAX
            found.append(await self.lab.result(samples.pop()))
        return found

    def snooze(self, devices) -> None:
        for device in devices:
            device.sleep(60)  # looks like ASYNC-X1 ASYNC-X2
