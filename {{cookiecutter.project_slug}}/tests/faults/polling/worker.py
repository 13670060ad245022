"""A worker as a process of its own: poller, relay, a handler that calls the provider. `python -m ... '<json>'`.

It tells what it counted in a file, again and again, because a killed process says nothing at its end.
"""

import asyncio
import json
import logging
import os
import signal
import sys
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from prometheus_client import REGISTRY
from sqlalchemy import event, text

from {{ cookiecutter.package_name }}.application.flow import NextTask
from {{ cookiecutter.package_name }}.polling.api import (
    Burn,
    ClaimedTask,
    Completed,
    Event,
    Outcome,
    Submitted,
    Subscription,
    Verdict,
    Wait,
)
from {{ cookiecutter.package_name }}.polling.database import Database, open_database
from {{ cookiecutter.package_name }}.polling.further_task import FurtherTask
from {{ cookiecutter.package_name }}.polling.poller import Lane, Poller
from {{ cookiecutter.package_name }}.polling.relay import OutboxRelay
from {{ cookiecutter.package_name }}.polling.settings import DatabaseSettings, PollingSettings

from tests.integration.polling.workshop import FIRST, SECOND, THINGS, OpenGate

TASK = "order_confirmation"
NEXT = "order_receipt"
CREATE_WITNESS = "CREATE TABLE IF NOT EXISTS witness (event_id bigint NOT NULL, aggregate_id bigint NOT NULL)"
WITNESS = text("INSERT INTO witness VALUES (CAST(:event_id AS bigint), CAST(:aggregate_id AS bigint)) RETURNING 1")
COUNTED = {
    "fenced": "task_fenced_total",
    "taken_over": "task_lease_expired_total",
}
REPORT_EVERY_S = 0.1


@dataclass(frozen=True, slots=True)
class Orders:
    """What a worker is told."""

    url: str
    provider: str
    report: str
    concurrency: int = 16
    breaker: bool = False
    flow: bool = False
    """Whether a second task follows the first."""
    dies_at: int = 0
    """The second task that is queued, but not recorded as such: there it kills itself; 0: never."""
    polling: dict[str, Any] | None = None
    pool: dict[str, Any] | None = None

    def line(self) -> str:
        """Return them as an argument."""
        return json.dumps(asdict(self))


class RefusedError(Exception):
    """The breaker is open: nothing was sent."""


class ProviderHandler:
    """Submits, then asks; one connection per call. Its breaker opens after five failures in a row."""

    TOLERATED = 5
    OPEN_S = 0.3

    def __init__(self, path: str, gate: OpenGate, *, breaker: bool) -> None:
        self._path = path
        self._gate = gate
        self._breaker = breaker
        self._places = gate.places
        self._failures = 0

    async def handle(self, task: ClaimedTask) -> Outcome:
        """Take the next step."""
        if self._gate.closed_s:
            raise RefusedError
        self._gate.in_use += 1
        try:
            answer = await self._call(task)
        except (ConnectionError, TimeoutError):
            self._failed()
            raise
        finally:
            self._gate.in_use -= 1
        if self._failures:
            self._failures = 0
            self._gate.change(closed_s=0, room=self._places)
        return Submitted(answer["id"]) if task.external_id is None else Completed()

    async def _call(self, task: ClaimedTask) -> dict[str, str]:
        call = {"reference": task.reference}
        if task.external_id is None:
            call["key"] = str(task.idempotency_key)
        reader, writer = await asyncio.open_unix_connection(self._path)
        try:
            writer.write(json.dumps(call).encode() + b"\n")
            answer: dict[str, str] = json.loads(await reader.readline() or b'{"error": "closed"}')
        finally:
            writer.close()
        if "error" in answer:
            raise ConnectionError(answer["error"])
        return answer

    def _failed(self) -> None:
        self._failures += 1
        if self._breaker and self._failures >= self.TOLERATED:
            self._gate.change(closed_s=self.OPEN_S)
            asyncio.get_running_loop().call_later(self.OPEN_S, lambda: self._gate.change(closed_s=0, room=1))


def judge(error: Exception) -> Verdict:
    """Judge as the service does: a refusal burns nothing."""
    return Wait("open", ProviderHandler.OPEN_S) if isinstance(error, RefusedError) else Burn(str(error))


async def report_forever(path: Path) -> None:
    """Leave the counters where the suite finds them, whole or not at all."""
    while True:
        counted = {
            name: sum(REGISTRY.get_sample_value(metric, {"task": task}) or 0 for task in (TASK, NEXT))
            for name, metric in COUNTED.items()
        }
        unfinished = path.with_suffix(".new")
        unfinished.write_text(json.dumps(counted))
        unfinished.rename(path)
        await asyncio.sleep(REPORT_EVERY_S)


async def work(orders: Orders, database: Database) -> None:
    """Run until SIGTERM, then drain."""
    settings = PollingSettings.model_validate(orders.polling or {})
    gate = OpenGate(orders.concurrency)
    handler = ProviderHandler(orders.provider, gate, breaker=orders.breaker)
    poller = Poller(
        system="bank",
        lanes=[Lane(TASK, FIRST, handler), *([Lane(NEXT, SECOND, handler)] if orders.flow else [])],
        gate=gate,
        judge=judge,
        database=database,
        settings=settings,
        concurrency=orders.concurrency,
    )

    async def witness(seen: Event) -> None:
        await database.rows(WITNESS, {"event_id": seen.event_id, "aggregate_id": seen.aggregate_id})

    next_task = NextTask(NEXT, FurtherTask(database, THINGS, SECOND, settings), poller.wake)
    steps = 0

    async def go_on(ended: Event) -> None:
        nonlocal steps
        await next_task.handle(ended)
        steps += 1
        if steps == orders.dies_at:
            os.kill(os.getpid(), signal.SIGKILL)

    subscriptions = [Subscription(f"{TASK}.completed", "witness", witness)]
    if orders.flow:
        subscriptions.append(Subscription(f"{TASK}.completed", f"{TASK}.completed -> {NEXT}", go_on))
        subscriptions.append(Subscription(f"{NEXT}.completed", "witness of the end", witness))
    relay = OutboxRelay(database, subscriptions, settings)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, poller.stop_claiming)
    reporting = asyncio.create_task(report_forever(Path(orders.report)))
    relaying = asyncio.create_task(relay.run())
    await poller.run()
    relay.stop()
    await relaying
    await asyncio.sleep(REPORT_EVERY_S * 2)
    reporting.cancel()


def named(database: Database) -> None:
    """Let the server's list of connections say whose they are: a suite that kills one knows whom it hits."""

    @event.listens_for(database.engine.sync_engine, "connect")
    def name_it(connection: Any, _: object) -> None:
        with closing(connection.cursor()) as cursor:
            cursor.execute(f"SET application_name = 'worker {os.getpid()}'")


async def main(line: str) -> None:
    """Open the database and work."""
    orders = Orders(**json.loads(line))
    settings = DatabaseSettings.model_validate(orders.pool or {})
    async with open_database(orders.url, settings) as database:
        if not settings.pgbouncer:  # a pooler's connections are everybody's
            named(database)
        await work(orders, database)


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    asyncio.run(main(sys.argv[1]))
