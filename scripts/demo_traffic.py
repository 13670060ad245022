"""Sends orders at an even pace through an outage of the system that they wait for, and follows each to its end."""

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from demo_service import BrokenDemoError, Service, request

ORDERS_URL = "/orders"
TASK = "order_confirmation"
SYSTEM = "sber"  # the first of the default systems; orders wait for it
FAILING = {"error_rate": 1.0, "status": 503}
SENDERS = 16  # an answer that takes a second must not hold up the pace
READERS = 4
READ_AT_ONCE = 20  # while orders are sent: enough to show progress, too little to disturb
TOLD_EVERY_S = 1.0
LONG_AGO, NOT_YET = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
DONE = frozenset({"COMPLETED", "FAILED", "CANCELLED"})


@dataclass(frozen=True, slots=True)
class Outage:
    """When the system fails, in seconds from the first order."""

    begins_s: float
    lasts_s: float

    def when(self, at_s: float) -> str:
        """Returns the phase that a moment belongs to."""
        if at_s < self.begins_s:
            return "before"
        return "outage" if at_s < self.begins_s + self.lasts_s else "after"


@dataclass(slots=True)
class Order:
    """One order, from its POST to its end."""

    order_id: int
    sent_at_s: float
    accepted_in_ms: float
    status: str = "PENDING"
    updated_at: datetime = LONG_AGO


@dataclass(slots=True)
class Traffic:
    """All orders of one run."""

    service: Service
    count: int
    per_s: float
    outage: Outage
    say: Callable[[str], None]
    orders: list[Order] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    healed_at: datetime = NOT_YET
    begin: float = 0.0

    def send(self) -> None:
        """Sends every order once, each on time whatever became of the one before; breaks and heals the system."""
        self.begin = time.monotonic()
        timers = [
            threading.Timer(self.outage.begins_s, self._break),
            threading.Timer(self.outage.begins_s + self.outage.lasts_s, self._heal),
        ]
        for timer in timers:
            timer.start()
        with ThreadPoolExecutor(SENDERS) as senders, ThreadPoolExecutor(READERS) as readers:
            told = 0.0
            for number in range(self.count):
                time.sleep(max(0.0, self.begin + number / self.per_s - time.monotonic()))
                senders.submit(self._send_one, number)
                if self._now() - told >= TOLD_EVERY_S:
                    told = self._now()
                    readers.submit(self._look, self._open()[:READ_AT_ONCE])
                    self._tell()
        for timer in timers:
            timer.join()

    def settle(self, limit_s: float) -> None:
        """Reads every open order until all have ended or the limit is over."""
        give_up, told = time.monotonic() + limit_s, 0.0
        with ThreadPoolExecutor(READERS) as readers:
            while self._open() and time.monotonic() < give_up:
                list(readers.map(self._read, self._open()))
                if self._now() - told >= TOLD_EVERY_S:
                    told = self._now()
                    self._tell()
                time.sleep(0.1)
        self._tell()

    def result(self) -> dict[str, Any]:
        """Returns the figures."""
        completed = [order for order in self.orders if order.status == "COMPLETED"]
        failed = [order for order in self.orders if order.status in DONE - {"COMPLETED"}]
        last = max((order.updated_at for order in completed), default=self.healed_at)
        proof = self._proof()
        return {
            "accepted": len(self.orders),
            "completed": len(completed),
            "failed": len(failed),
            "lost": len(self.orders) - len(completed) - len(failed),
            "duplicate_effects": proof["duplicate_effects"],
            "repeated_keys": proof["repeated_keys"],
            "accept_ms": {phase: self._accept_ms(phase) for phase in ("before", "outage")},
            "recovery_s": round(max(0.0, (last - self.healed_at).total_seconds()), 1),
        }

    def effects(self) -> int:
        """Returns how many operations the system carried out."""
        return int(self._proof()["effects"])

    def _send_one(self, number: int) -> None:
        begin = time.monotonic()
        body = {"payload": {"amount": 100 + number}}
        status, answer = request(self.service.api, "POST", ORDERS_URL, body, key=str(uuid4()))
        if status == 202:
            taken_ms = (time.monotonic() - begin) * 1000
            self.orders.append(Order(answer["order_id"], begin - self.begin, taken_ms))
        else:
            self.refused.append(status)

    def _look(self, orders: Sequence[Order]) -> None:
        for order in orders:
            self._read(order)

    def _read(self, order: Order) -> None:
        status, answer = request(self.service.api, "GET", f"{ORDERS_URL}/{order.order_id}")
        if status == 200:
            task = answer["tasks"][TASK]
            order.updated_at = datetime.fromisoformat(task["updated_at"])
            order.status = task["status"]

    def _break(self) -> None:
        self._behave(FAILING)
        self.say(f"  {SYSTEM} begins to fail: every call is answered with {FAILING['status']}")

    def _heal(self) -> None:
        self._behave({})
        self.healed_at = datetime.now(UTC)
        self.say(f"  {SYSTEM} is well again")

    def _behave(self, behaviour: Mapping[str, object]) -> None:
        status, _ = request(self.service.simulator, "PUT", f"/_simulator/{SYSTEM}", behaviour)
        if status != 200:
            raise BrokenDemoError(f"the simulator refused a behaviour with {status}")

    def _proof(self) -> dict[str, Any]:
        status, proof = request(self.service.simulator, "GET", f"/_simulator/{SYSTEM}")
        if status != 200:
            raise BrokenDemoError(f"the simulator does not say what reached it (status {status})")
        return dict(proof)

    def _open(self) -> list[Order]:
        return [order for order in self.orders if order.status not in DONE]

    def _accept_ms(self, phase: str) -> dict[str, float]:
        times = sorted(order.accepted_in_ms for order in self.orders if self.outage.when(order.sent_at_s) == phase)
        return {"p50": percentile(times, 0.5), "p99": percentile(times, 0.99)}

    def _tell(self) -> None:
        ended = len(self.orders) - len(self._open())
        refused = f", {len(self.refused)} refused ({sorted(set(self.refused))})" if self.refused else ""
        self.say(f"  {self._now():5.1f} s   accepted {len(self.orders):3}   ended {ended:3}{refused}")

    def _now(self) -> float:
        return time.monotonic() - self.begin


def percentile(values: Sequence[float], ratio: float) -> float:
    """Returns the nearest-rank percentile of sorted values, rounded; 0 where there are none."""
    return round(values[max(0, math.ceil(ratio * len(values)) - 1)], 1) if values else 0.0
