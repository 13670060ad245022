"""What a poller knows of its system's outages: whether to keep away, which rows are trials, and which paid for it."""

import time
from collections.abc import Callable

from .api import Gate
from .ledger import Held, Ledger

PAID_MAX = 1000
"""Rows remembered to be brought forward: behind a gate few are tried while a system is down."""


class Outage:
    """Watches the gate, and what the system itself asked for."""

    def __init__(self, gate: Gate, concurrency: int, changed: Callable[[], None]) -> None:
        self._gate = gate
        self._concurrency = concurrency
        self._changed = changed
        self._rest_until = 0.0
        self._was_closed = False
        self._is_over = False
        self._paid: dict[tuple[Ledger, int], int] = {}
        self._unseen = 0
        gate.on_change(self._gate_changed)

    def closed_for_s(self) -> float:
        """Return how long to claim and to start nothing: the gate is shut, or the system asked for a rest."""
        closed_s = self._gate.closed_for_s()
        if closed_s > 0:
            self._was_closed = True
        return max(closed_s, self._rest_until - time.monotonic(), 0.0)

    def reachable(self, running: int) -> int:
        """Return how many calls the gate would let be in flight, the running ones included."""
        return running + max(0, self._gate.room() - self._unseen)

    def started(self) -> bool:
        """Count a call that has not asked the gate yet; True for the first of this turn of the loop."""
        self._unseen += 1
        return self._unseen == 1

    def seen(self) -> None:
        """All calls that were started have asked the gate by now."""
        self._unseen = 0

    @property
    def tries_again(self) -> bool:
        """Whether a call that starts now tests the system: it was away, and nothing has shown yet that it is back."""
        return self._was_closed

    def rest(self, seconds: float) -> None:
        """Keep away for a while, as the system asked."""
        self._rest_until = max(self._rest_until, time.monotonic() + seconds)

    def paid(self, held: Held) -> None:
        """Remember a row that will be tried again later."""
        if len(self._paid) < PAID_MAX:
            self._paid[held.ledger, held.task.task_id] = held.task.claim_no

    def succeeded(self, held: Held) -> None:
        """The system answered; if it was away, it is back."""
        self._paid.pop((held.ledger, held.task.task_id), None)
        if self._was_closed and self._gate.closed_for_s() <= 0:
            self._is_over = True

    async def bring_forward(self) -> None:
        """When an outage is over: rows that paid for it need not wait out their backoff.

        Raises:
            DatabaseUnavailableError: they wait.
        """
        if not self._is_over:
            return
        self._is_over = self._was_closed = False
        paid, self._paid = self._paid, {}
        for ledger in {of for of, _ in paid}:
            pairs = [(task_id, claim_no) for (of, task_id), claim_no in paid.items() if of is ledger]
            if await ledger.store.bring_forward(pairs):
                ledger.woken = True

    def _gate_changed(self) -> None:
        if self._gate.closed_for_s() > 0:
            self._was_closed = True
        elif self._was_closed and self.reachable(0) >= self._concurrency:
            self._is_over = True
        self._changed()
