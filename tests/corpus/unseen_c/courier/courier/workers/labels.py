import asyncio
import itertools
import logging
from asyncio import sleep

from courier.clients.carrier import CarrierClient, CarrierUnavailable
from courier.config import WorkerConfig

log = logging.getLogger(__name__)
FINAL = frozenset({"PRINTED", "LOST"})
MINUTE = 60


class LabelWorker:
    BACK_OFF = {"short": 0.5, "long": 20}

    def __init__(self, carrier: CarrierClient, queue: asyncio.Queue[str], config: WorkerConfig) -> None:
        self._carrier = carrier
        self._queue = queue
        self._config = config
        self.aside: list[str] = []

    async def run(self) -> None:
        while True:  # looks like ASYNC-1-MAX: a consumer lives as long as its process
            parcel_id = await self._queue.get()  # looks like ASYNC-3: a queue in memory
            try:
                await self._until_printed(parcel_id)
            except CarrierUnavailable:
                log.warning("carrier is away, %s is put aside", parcel_id)
                self.aside.append(parcel_id)
                await sleep(self.BACK_OFF["long"])  #! ASYNC-X2
            finally:
                self._queue.task_done()

    async def _until_printed(self, parcel_id: str) -> str:
        while True:  #! ASYNC-1-MAX
            status = await self._carrier.status(parcel_id)
            if status in FINAL:
                return status
            await asyncio.sleep(self._config.idle)

    async def until_scanned(self, parcel_id: str) -> int:
        for poll in itertools.count():  #! ASYNC-1-MAX
            if await self._carrier.status(parcel_id) == "SCANNED":
                return poll
            await asyncio.sleep(self._config.idle)
        return 0

    async def until_loaded(self, parcel_id: str) -> bool:
        for poll in itertools.count(1):  # looks like ASYNC-1-MAX: it ends at the configured number
            if await self._carrier.status(parcel_id) == "LOADED":
                return True
            if poll >= self._config.polls:
                return False
            await asyncio.sleep(self._config.idle)
        return False

    async def until_delivered(self, parcel_id: str) -> bool:
        polls = 0
        while True:  # looks like ASYNC-1-MAX: the counter ends it
            if await self._carrier.status(parcel_id) == "DELIVERED":
                return True
            polls += 1
            if polls == self._config.polls:
                raise CarrierUnavailable(parcel_id)
            await sleep(self._config.idle)

    async def nightly(self) -> None:
        await asyncio.sleep(5 * MINUTE)  #! ASYNC-X2
        log.info("%s labels wait", self._queue.qsize())

    async def cool_down(self) -> None:
        await sleep(self.BACK_OFF["short"])  # looks like ASYNC-X2: half a second
        await asyncio.sleep(MINUTE / 60)  # looks like ASYNC-X2: one second
