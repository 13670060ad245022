"""Readiness with one indicator per system."""
from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Protocol

from app.adapters.outbound.courier.adapter import CourierAdapter
from app.adapters.outbound.notify.sender import NotifySender


class Pings(Protocol):
    async def ping(self) -> bool: ...


@dataclass
class Indicator:
    name: str
    target: Pings
    ttl: float
    _value: bool = True
    _at: float = 0.0
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def up(self) -> bool:
        async with self._lock:
            if time.monotonic() - self._at > self.ttl:
                self._value = await self.target.ping()
                self._at = time.monotonic()
        return self._value


class CourierHealthIndicator:
    name = "courier"

    def __init__(self, courier: CourierAdapter) -> None:
        self._courier = courier

    async def check(self) -> bool:
        await self._courier.cancel_pickup("health-probe")  #! HC-X2
        return True


class NotifyHealthIndicator:
    name = "notify"

    def __init__(self, sender: NotifySender) -> None:
        self._sender = sender

    async def check(self) -> bool:
        return await self._sender.send_sms("+10000000000", "probe")  #! HC-X2


class Readiness:
    def __init__(self, indicators: list[Indicator]) -> None:
        self._indicators = indicators

    async def report(self) -> dict[str, bool]:
        states = await asyncio.gather(*(indicator.up() for indicator in self._indicators))
        return {indicator.name: state for indicator, state in zip(self._indicators, states)}
