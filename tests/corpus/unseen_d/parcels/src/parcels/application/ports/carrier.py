from __future__ import annotations

from typing import Protocol

from parcels.domain.shipment import Label, Shipment


class CarrierUnavailable(Exception):
    def __init__(self, system: str) -> None:
        super().__init__(f"{system} is unavailable")
        self.system = system


class Carrier(Protocol):
    async def shipment(self, number: str) -> Shipment: ...  # looks like OAS-X3

    async def mapped_label(self, number: str) -> Label: ...

    async def book(self, order: dict, key: str) -> str: ...
