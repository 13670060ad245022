from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class TrackingEvent:
    code: str
    at: datetime

    @classmethod
    def of(cls, event) -> "TrackingEvent":
        return cls(event.code, event.occurred_at)


@dataclass(frozen=True)
class Label:
    id: str
    url: str


@dataclass
class Shipment:
    number: str
    state: str
    events: list[TrackingEvent] = field(default_factory=list)
    missed_deliveries: int = 0
    returned_at: datetime | None = None

    def delivery_missed(self, now: datetime, allowed: int) -> None:  # looks like CB-X2
        self.missed_deliveries += 1
        if self.missed_deliveries >= allowed:
            self.state = "returning"
            self.returned_at = now
