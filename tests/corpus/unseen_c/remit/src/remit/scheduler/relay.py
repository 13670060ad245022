import asyncio
import logging
from datetime import timedelta

from remit.settings import WorkerSettings

log = logging.getLogger(__name__)
QUIET = timedelta(minutes=2)


class OutboxRelay:
    pause_after_error = 15

    def __init__(self, conf: WorkerSettings, store, broker) -> None:
        self._conf = conf
        self._store = store
        self._broker = broker
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        while not self._stopping.is_set():  # looks like ASYNC-1-MAX: the scheduler's own loop
            sent = await self._round()
            if not sent:
                await asyncio.sleep(self._conf.idle_s)  # looks like ASYNC-X1: not in a handler

    async def _round(self) -> int:
        try:
            rows = await self._store.claim(self._conf.batch)
        except ConnectionError:
            log.warning("store is away")
            await asyncio.sleep(self.pause_after_error)  #! ASYNC-X2
            return 0
        for row in rows:
            await self._broker.publish(row.topic, row.payload)
            await self._store.sent(row.id)
        return len(rows)

    async def drain(self) -> None:
        await asyncio.sleep(QUIET.total_seconds())  #! ASYNC-X2
        await self._round()

    async def settle_down(self) -> None:
        await asyncio.sleep(timedelta(milliseconds=800).total_seconds())  # looks like ASYNC-X2: under one second
        self._stopping.set()
