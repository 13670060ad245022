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
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from uuid import uuid4

from sqlalchemy.exc import SQLAlchemyError

from .api import Burn, Gate, Judge, Outcome, Wait
from .database import Database
from .errors import DatabaseUnavailableError
from .isolation import PROCESS, Isolation
from .ledger import Held, Lane, Ledger
from .outage import Outage
from .settings import PollingSettings
from .settlement import Settlement, burned, chance, poisoned, refused, released, settle, settle_verdict, waited
from .store import TaskStore
from .tracing import handled

__all__ = ["Lane", "Poller"]

logger = logging.getLogger(__name__)

AFTER_CLOSED_S = 0.01
"""A gate's clock and ours differ by less."""

LOCKED_WAIT_S = 0.05
"""A due row that a claim did not get is locked by somebody; ask again soon, not at once."""

DATABASE_WAIT_S = (0.3, 1.0)
"""Between claims while the database is away."""

SHORT_CALL_S = 0.1
"""A claim takes about 2 ms: beside calls of this length it is lost in the noise."""

SMOOTHING = 0.05
"""How much one call changes what is thought typical: some twenty calls, so that one slow one changes little."""

UNWRITTEN_RATIO = 0.25
"""Of the concurrency: outcomes on their way to the database while all calls are made. A write takes about a tenth of a
call of 20 ms, so the bulkhead stays full, and a crash repeats at most this much more than what was in flight."""

WRITING_FACTOR = 4
"""Rows whose outcome is not yet written, at most, as a multiple of what may run: the memory of a database outage."""

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
    ) -> None:
        self.system = system
        self.worker = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
        self._judge = judge
        self._settings = settings
        self._concurrency = concurrency
        self._prefetch = int(concurrency * settings.prefetch_ratio)
        self._isolation = isolation
        self._changed = asyncio.Event()
        self._stopped = asyncio.Event()
        self._ledgers = [
            Ledger(lane, TaskStore(database, lane.table, settings, self.worker), settings.lease, self._written)
            for lane in lanes
        ]
        self._by_task = {ledger.task: ledger for ledger in self._ledgers}
        for ledger in self._ledgers:
            ledger.metrics.limit.set(concurrency)
        self._turn = 0
        self._queue: deque[Held] = deque()
        self._running = 0
        self._typical_s = SHORT_CALL_S
        self._outage = Outage(gate, concurrency, self._changed.set)

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
        self._stopped.set()
        self._changed.set()

    async def run(self) -> None:
        """Claim and run until `stop_claiming`, then finish, write and hand back within the grace period."""
        self._isolation.watch(self, self._changed.set)
        background = [asyncio.create_task(ledger.write_forever()) for ledger in self._ledgers]
        background.append(asyncio.create_task(self._renew_forever()))
        try:
            while not self._stopped.is_set():
                await self._sleep(await self._cycle())
            await self._drain()
        finally:
            self._isolation.unwatch(self)
            for task in background:
                task.cancel()
            for held in self._all_held():
                if held.running is not None:
                    held.running.cancel()
            await asyncio.gather(*background, return_exceptions=True)

    # --- claim ---

    async def _cycle(self) -> float:
        """Do what can be done now; returns how long to sleep if nothing changes."""
        self._changed.clear()
        try:
            await self._outage.bring_forward()
            if closed_s := self._outage.closed_for_s():
                self._hand_back_queued()
                return min(closed_s + AFTER_CLOSED_S, self._settings.interval)
            self._start_queued()
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
        free = self._free()
        if ready and free <= 0:
            return self._settings.interval  # an end of a call or of a write changes this
        for position, ledger in enumerate(ready):
            share = math.ceil(free / (len(ready) - position))
            if share <= 0 or self._stopped.is_set():
                return 0.0
            free -= await self._claim(ledger, share)
            self._start_queued()
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
        self._queue.extend(ledger.take(claimed, asked_at))
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

    def _limit(self) -> int:
        """Return how many calls may run now.

        A submission counts until its outcome is written, for a crash repeats it: beyond what usual writes take,
        outcomes that wait for the database keep new calls from being made.
        """
        unwritten = sum(ledger.unwritten for ledger in self._ledgers)
        writable = self._concurrency + int(self._concurrency * UNWRITTEN_RATIO) - unwritten
        return min(self._concurrency, writable, self._outage.reachable(self._running))

    def _free(self) -> int:
        """Return how many rows to claim; 0 while a claim would bring too few to be worth it."""
        is_open = self._outage.reachable(self._running) >= self._concurrency
        # Trials only, while half-open; and calls that are not short hide the claims themselves.
        prefetch = self._prefetch if is_open and self._typical_s < SHORT_CALL_S else 0
        most = self._concurrency if is_open else self._limit()
        room = most + prefetch - self._running - len(self._queue)
        if self._queue and room < max(1, prefetch // 2):
            return 0
        held = sum(len(ledger.held) for ledger in self._ledgers)
        return min(room, WRITING_FACTOR * (self._concurrency + self._prefetch) - held)

    async def _sleep(self, wait_s: float) -> None:
        if wait_s <= 0 or self._changed.is_set():
            await asyncio.sleep(0)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await self._changed.wait()

    # --- run ---

    def _start_queued(self) -> None:
        if not self._queue or self._outage.closed_for_s():
            return
        limit = self._limit()
        while self._queue and self._running < limit and not self._stopped.is_set():
            held = self._queue[0]
            crashes = held.task.no_outcome - 1 - self._settings.poison_after
            if held.is_lost or time.monotonic() > held.trusted_until:
                self._queue.popleft()
                held.ledger.drop(held)
                continue
            if crashes > 0:
                self._queue.popleft()
                held.ledger.record(held, poisoned(held.task))
                continue
            if not (self._isolation.enter_alone(self) if crashes == 0 else self._isolation.enter()):
                break
            self._queue.popleft()
            self._start(held)

    def _start(self, held: Held) -> None:
        held.started_at = time.monotonic()
        held.is_trial = self._outage.tries_again
        self._running += 1
        held.running = asyncio.create_task(handled(held.ledger.handler, held.task))
        held.running.add_done_callback(partial(self._ended, held))
        if self._outage.started():
            asyncio.get_running_loop().call_soon(self._all_seen)

    def _all_seen(self) -> None:
        # Queued behind the first steps of what was started before it; what was started after it asks a turn later.
        asyncio.get_running_loop().call_soon(self._outage.seen)

    def _ended(self, held: Held, ended: asyncio.Task[Outcome]) -> None:
        self._running -= 1
        self._isolation.leave()
        self._typical_s += SMOOTHING * (time.monotonic() - held.started_at - self._typical_s)
        if ended.cancelled():
            if held.is_lost:
                held.ledger.drop(held)
            else:
                held.ledger.record(held, released(held.task))
        else:
            settlement = self._settlement(held, ended)
            held.ledger.record(held, settlement)
            if settlement.kind in ("burned", "refused"):
                self._outage.paid(held)
            else:
                self._outage.succeeded(held)
        self._start_queued()
        self._changed.set()

    def _written(self) -> None:
        self._start_queued()
        self._changed.set()

    def _settlement(self, held: Held, ended: asyncio.Task[Outcome]) -> Settlement:
        error = ended.exception()
        try:
            return settle(held.task, ended.result(), self._settings) if error is None else self._judged(held, error)
        except Exception as fault:
            # A judge that fails must not keep the row in hand for ever.
            logger.exception("task.judge_failed", extra={"system": self.system, "task": held.task.task})
            return burned(held.task, f"not judged: {fault!r}", self._settings)

    def _judged(self, held: Held, error: BaseException) -> Settlement:
        verdict = self._judge(error) if isinstance(error, Exception) else Burn(repr(error))
        if isinstance(verdict, Wait):
            wait_s = waited(verdict.retry_after_s)
            self._outage.rest(min(wait_s, self._settings.backoff_max))
            return refused(held.task, verdict.reason, wait_s)
        if isinstance(verdict, Burn) and held.is_trial:
            # A trial tests the system, not the row.
            return refused(held.task, verdict.reason, self._outage.closed_for_s())
        return settle_verdict(held.task, verdict, self._settings)

    # --- keep and give back ---

    async def _renew_forever(self) -> None:
        while True:
            await asyncio.sleep(self._settings.lease / 3)
            for ledger in self._ledgers:
                try:
                    await ledger.renew()
                except (DatabaseUnavailableError, SQLAlchemyError) as error:
                    logger.warning("lease.renewal_failed", extra={"task": ledger.task, "error": str(error)})

    def _hand_back_queued(self) -> None:
        while self._queue:
            held = self._queue.popleft()
            held.ledger.record(held, released(held.task))
        self._isolation.withdraw(self)

    def _all_held(self) -> list[Held]:
        return [held for ledger in self._ledgers for held in ledger.held.values()]

    async def _drain(self) -> None:
        grace_s = self._settings.shutdown_grace
        deadline = time.monotonic() + grace_s
        self._hand_back_queued()
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
