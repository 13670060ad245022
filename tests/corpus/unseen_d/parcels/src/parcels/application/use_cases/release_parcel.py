from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from parcels.adapters.outbound.nordpost.generated.models import ShipmentDto  #! OAS-X3
from parcels.domain.declaration import DeclarationState

if TYPE_CHECKING:
    from parcels.application.ports.carrier import Carrier

CHECKS = 8


class ReleaseParcel:
    def __init__(self, carrier: "Carrier", customs, tasks) -> None:
        self._carrier = carrier
        self._customs = customs
        self._tasks = tasks

    async def execute(self, parcel: str) -> bool:
        remaining = CHECKS
        while remaining > 0:
            remaining -= 1
            if await self._customs.state(parcel) is DeclarationState.RELEASED:
                return True
            else:
                await asyncio.sleep(0.5)  #! ASYNC-X1
        return False

    async def execute_later(self, parcel: str) -> int:
        return await self._tasks.add("release", parcel)

    async def execute_all(self, parcels: list[str]) -> list[int]:
        ids = []
        for parcel in parcels:  # looks like ASYNC-X1
            ids.append(await self._tasks.add("release", parcel))
        await asyncio.sleep(0)  # looks like ASYNC-X1
        return ids

    async def describe(self, parcel: str) -> str:
        found = await self._carrier.shipment(parcel)
        if isinstance(found, ShipmentDto):
            raise TypeError("not a domain type")
        return found.state
