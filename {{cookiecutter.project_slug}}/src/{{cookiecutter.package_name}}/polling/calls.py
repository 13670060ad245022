"""The calls of one poller: rows that wait for a place in the system's bulkhead, and what runs (R-RES-ISO-1)."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from .api import Outcome
from .isolation import Isolation
from .judgement import Judgement
from .ledger import Held, Ledger, half_of
from .outage import Outage
from .settings import PollingSettings
from .settlement import poisoned, released
from .tracing import handled

SHORT_CALL_S = 0.1
"""A claim and a write take about 2 ms each: beside calls of this length they are lost in the noise."""

INSTANT_S = 0.002
"""Calls shorter than this end together in a turn of the loop, and what follows them is started together, too. A longer
call's place is filled at once: a turn later is 2 % of a call of 20 ms."""

SMOOTHING = 0.05
"""How much one call changes what is thought typical: some twenty calls, so that one slow one changes little."""

UNWRITTEN_RATIO = 0.25
"""Of the concurrency, for short calls only: outcomes on their way to the database while all places are taken. Calls of
20 ms would otherwise leave a quarter of the bulkhead empty, for a place would be free only after the write."""

WRITING_FACTOR = 4
"""Rows whose outcome is not yet written, at most, as a multiple of what may run: the memory of a database outage."""


class Calls:
    """Starts calls while there is room, and has what they end with written."""

    def __init__(
        self,
        ledgers: Sequence[Ledger],
        outage: Outage,
        judgement: Judgement,
        isolation: Isolation,
        settings: PollingSettings,
        concurrency: int,
        changed: Callable[[], None],
    ) -> None:
        self._ledgers = ledgers
        self._outage = outage
        self._judgement = judgement
        self._isolation = isolation
        self._concurrency = concurrency
        self._prefetch = int(concurrency * settings.prefetch_ratio)
        self._poison_after = settings.poison_after
        self._half = half_of(concurrency)
        self._changed = changed
        self._queue: deque[Held] = deque()
        self._running = 0
        self._typical_s = SHORT_CALL_S
        self._will_start = False
        self._stopped = False

    def watch(self) -> None:
        """Have `changed` called when a row that runs alone no longer keeps the others away, until `unwatch`."""
        self._isolation.watch(self, self._changed)

    def unwatch(self) -> None:
        """Undo `watch`."""
        self._isolation.unwatch(self)

    def stop(self) -> None:
        """Start nothing more."""
        self._stopped = True

    def room(self) -> int:
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

    def add(self, rows: Iterable[Held]) -> None:
        """Queue rows that were claimed."""
        self._queue.extend(rows)

    def start(self) -> None:
        """Start what may be started now; of very much, one half with the next turn of the loop."""
        if not self._queue or self._stopped or self._outage.closed_for_s():
            return
        room = self._limit() - self._running
        if room > self._half:
            room = self._half
            self.start_soon()
        while self._queue and room > 0:
            held = self._queue[0]
            crashes = held.task.no_outcome - 1 - self._poison_after
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
            room -= 1

    def start_soon(self) -> None:
        """Start with the next turn of the loop what there is room for by then."""
        if not self._will_start:
            self._will_start = True
            asyncio.get_running_loop().call_soon(self._start_now)

    def hand_back(self) -> None:
        """Give up what has not been started."""
        while self._queue:
            held = self._queue.popleft()
            held.ledger.record(held, released(held.task))
        self._isolation.withdraw(self)

    def _start_now(self) -> None:
        self._will_start = False
        self.start()

    def _limit(self) -> int:
        """Return how many calls may be running.

        A submission counts until its outcome is written, for a crash repeats it: at most the concurrency, and for short
        calls a part more, so that they do not wait for writes.
        """
        allowed = self._concurrency
        if self._typical_s < SHORT_CALL_S:
            allowed += int(self._concurrency * UNWRITTEN_RATIO)
        unwritten = sum(ledger.unwritten for ledger in self._ledgers)
        return min(self._concurrency, allowed - unwritten, self._outage.reachable(self._running))

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
        if not ended.cancelled():
            held.ledger.record(held, self._judgement.of(held, ended))
        elif held.is_lost:
            held.ledger.drop(held)
        else:
            held.ledger.record(held, released(held.task))
        if self._typical_s < INSTANT_S:
            self.start_soon()
        else:
            self.start()
        self._changed()
