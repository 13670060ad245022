"""One poller per external system: asks the gate for room, claims, runs, and sleeps until the next row is due.

It promises that a claimed row is settled, handed back, or, after a crash, claimed again when its lease ends; and that
no wake-up is lost: whatever may be a reason to claim sets a flag first and the event after it, and a cycle clears the
event before it looks at the flags.
"""

import asyncio
import logging
import math
import os
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from uuid import uuid4

from sqlalchemy.exc import SQLAlchemyError

from .api import Gate, Judge
from .calls import Calls
from .database import Database
from .errors import DatabaseUnavailableError
from .isolation import PROCESS, Isolation
from .judgement import Judgement
from .ledger import Held, Lane, Ledger
from .outage import Outage
from .settings import PollingSettings
from .settlement import chance
from .store import TaskStore

__all__ = ["Lane", "Poller"]

logger = logging.getLogger(__name__)

AFTER_CLOSED_S = 0.01
"""A gate's clock and ours differ by less."""

LOCKED_WAIT_S = 0.05
"""A due row that a claim did not get is locked by somebody; ask again soon, not at once."""

CLAIM_ROWS = 100
"""In one statement, at most: more gain nothing, and the first of them could run already."""

DATABASE_WAIT_S = (0.3, 1.0)
"""Between claims while the database is away."""

WRITE_RESERVE_S = 2.0
"""Of the shutdown grace: time to write outcomes and to hand back."""


class Poller:
    """Runs the tasks of one system within its bulkhead (R-RES-ISO-1), each task in turn."""

    def __init__(
        self,
        *,
        system: str,
        lanes: Sequence[Lane],
        gate: Gate,
        judge: Judge,
        database: Database,
        settings: PollingSettings,
        concurrency: int,
        isolation: Isolation = PROCESS,
        event_stored: Callable[[], None] = lambda: None,
    ) -> None:
        self.system = system
        self.worker = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
        self._settings = settings
        self._changed = asyncio.Event()
        self._stopped = asyncio.Event()
        self._event_stored = event_stored
        self._ledgers = [
            Ledger(
                lane,
                TaskStore(database, lane.table, settings, self.worker),
                settings.lease,
                concurrency,
                written=self._written,
            )
            for lane in lanes
        ]
        self._by_task = {ledger.task: ledger for ledger in self._ledgers}
        for ledger in self._ledgers:
            ledger.metrics.limit.set(concurrency)
        self._turn = 0
        self._outage = Outage(gate, concurrency, self._changed.set)
        judgement = Judgement(system, judge, self._outage, settings)
        self._calls = Calls(
            self._ledgers, self._outage, judgement, isolation, settings, concurrency, changed=self._changed.set
        )

    def wake(self, task: str) -> None:
        """Say that a row of `task` was committed by this process."""
        self._by_task[task].woken = True
        self._changed.set()

    async def tick(self) -> None:
        """Look for what other processes queued; a coroutine, so that APScheduler calls it in the loop."""
        for ledger in self._ledgers:
            ledger.woken = True
        self._changed.set()

    def stop_claiming(self) -> None:
        """Claim nothing more; `run` then drains and returns."""
        self._calls.stop()
        self._stopped.set()
        self._changed.set()

    async def run(self) -> None:
        """Claim and run until `stop_claiming`, then finish, write and hand back within the grace period.

        Raises:
            ExceptionGroup: writing or renewing met an error that it does not know; a poller that goes on without them
                would hold rows for ever.
        """
        self._calls.watch()
        try:
            async with asyncio.TaskGroup() as group:
                background = [group.create_task(ledger.write_forever()) for ledger in self._ledgers]
                background.append(group.create_task(self._renew_forever()))
                while not self._stopped.is_set():
                    await self._sleep(await self._cycle())
                await self._drain()
                for task in background:
                    task.cancel()
        finally:
            self._calls.unwatch()
            for held in self._all_held():
                if held.running is not None:
                    held.running.cancel()

    # --- claim ---

    async def _cycle(self) -> float:
        """Do what can be done now; returns how long to sleep if nothing changes."""
        self._changed.clear()
        try:
            await self._outage.bring_forward()
            if closed_s := self._outage.closed_for_s():
                self._calls.hand_back()
                return min(closed_s + AFTER_CLOSED_S, self._settings.interval)
            self._calls.start()
            return await self._claim_ready()
        except (DatabaseUnavailableError, SQLAlchemyError) as error:
            unexpected = error if isinstance(error, SQLAlchemyError) else None
            logger.warning("task.claim_failed", extra={"system": self.system, "error": str(error)}, exc_info=unexpected)
            with suppress(TimeoutError):
                async with asyncio.timeout(chance.uniform(*DATABASE_WAIT_S)):
                    await self._stopped.wait()
            return 0.0

    async def _claim_ready(self) -> float:
        now = time.monotonic()
        ready = [ledger for ledger in self._in_turn() if ledger.ready(now)]
        free = self._calls.room()
        if ready and free <= 0:
            return self._settings.interval  # an end of a call or of a write changes this
        for position, ledger in enumerate(ready):
            share = min(math.ceil(free / (len(ready) - position)), CLAIM_ROWS)
            if share <= 0 or self._stopped.is_set():
                return 0.0
            free -= await self._claim(ledger, share)
            self._calls.start()
        if ready:
            return 0.0
        if not self._changed.is_set():
            await self._look_ahead()
        return min(ledger.due_at for ledger in self._ledgers) - time.monotonic()

    async def _claim(self, ledger: Ledger, n: int) -> int:
        ledger.woken = False
        asked_at = time.monotonic()
        try:
            claimed = await ledger.store.claim(n)
        except BaseException:
            ledger.woken = True
            raise
        self._calls.add(ledger.take(claimed, asked_at))
        if len(claimed) < n:
            # Never longer than the interval, for what other processes queue; jitter keeps processes apart.
            ledger.due_at = time.monotonic() + self._settings.interval * chance.uniform(0.9, 1.0)
            ledger.look_ahead = True
        else:
            ledger.due_at = 0.0
        return len(claimed)

    async def _look_ahead(self) -> None:
        """Learn when the next row of each task is due, now that there is nothing else to do."""
        for ledger in self._ledgers:
            if ledger.look_ahead and not ledger.woken:
                ledger.look_ahead = False
                wait_s = await ledger.store.next_due_in_s()
                if wait_s is not None:
                    ledger.due_at = min(ledger.due_at, time.monotonic() + max(wait_s, LOCKED_WAIT_S))

    def _in_turn(self) -> list[Ledger]:
        """Every task gets to be first: a backlog of one does not delay another."""
        self._turn = (self._turn + 1) % len(self._ledgers)
        return self._ledgers[self._turn :] + self._ledgers[: self._turn]

    async def _sleep(self, wait_s: float) -> None:
        if wait_s <= 0 or self._changed.is_set():
            await asyncio.sleep(0)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await self._changed.wait()

    def _written(self, ended: int) -> None:
        """Rows were written; `ended` of them with an event in the outbox."""
        if ended:
            self._event_stored()
        self._calls.start_soon()
        self._changed.set()

    # --- keep and give back ---

    async def _renew_forever(self) -> None:
        while True:
            await asyncio.sleep(self._settings.lease / 3)
            for ledger in self._ledgers:
                try:
                    await ledger.renew()
                except (DatabaseUnavailableError, SQLAlchemyError) as error:
                    logger.warning("lease.renewal_failed", extra={"task": ledger.task, "error": str(error)})

    def _all_held(self) -> list[Held]:
        return [held for ledger in self._ledgers for held in ledger.held.values()]

    async def _drain(self) -> None:
        grace_s = self._settings.shutdown_grace
        deadline = time.monotonic() + grace_s
        self._calls.hand_back()
        await self._until(deadline - min(WRITE_RESERVE_S, grace_s / 5))
        for held in self._all_held():
            if held.running is not None and not held.running.done():
                held.running.cancel()
        await self._until(deadline)
        if left := len(self._all_held()):
            logger.warning("task.left_leased", extra={"system": self.system, "rows": left})

    async def _until(self, deadline: float) -> None:
        """Wait until nothing is held."""
        while self._all_held() and (wait_s := deadline - time.monotonic()) > 0:
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._changed.wait()
