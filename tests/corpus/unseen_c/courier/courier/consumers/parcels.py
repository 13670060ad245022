import asyncio
import json
import logging
from dataclasses import dataclass

from courier.clients.carrier import CarrierClient, CarrierUnavailable

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Outcome:
    parcel_id: str
    success: bool
    detail: str = ""


class ParcelConsumer:
    def __init__(self, carrier: CarrierClient, tasks) -> None:
        self._carrier = carrier
        self._tasks = tasks

    async def on_announced(self, body: bytes) -> Outcome:
        parcel = json.loads(body)
        try:
            await self._carrier.announce([parcel])
        except CarrierUnavailable as error:
            log.warning("announcement of %s: %s", parcel["id"], error)
            return Outcome(parcel["id"], success=True)  #! FB-X2
        return Outcome(parcel["id"], success=True)

    async def on_cancelled(self, body: bytes) -> Outcome:
        parcel = json.loads(body)
        try:
            await self._carrier.announce([{**parcel, "state": "cancelled"}])
        except CarrierUnavailable as error:
            return Outcome(parcel["id"], success=False, detail=str(error))  # looks like FB-X2: not a success
        return Outcome(parcel["id"], success=True)

    async def on_labels(self, body: bytes) -> bytes:
        return await asyncio.to_thread(asyncio.run, self._carrier.label(json.loads(body)["id"]))  #! BH-X1

    async def on_picture(self, body: bytes) -> dict[str, str]:
        return await asyncio.to_thread(json.loads, body)  # looks like BH-X1: work for a processor

    async def on_returned(self, body: bytes) -> None:
        parcel = json.loads(body)
        try:
            await self._carrier.announce([parcel])
        except CarrierUnavailable:
            await self._tasks.add("return", parcel)  # looks like FB-X2: a row for later

    async def replay(self, bodies: list[bytes]) -> int:
        for pause in (0.1, 2, 30):
            if not bodies:
                break
            await self.on_announced(bodies.pop())
            await asyncio.sleep(pause)  #! ASYNC-X2
        return len(bodies)
