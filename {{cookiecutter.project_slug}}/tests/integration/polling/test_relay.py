"""The relay: every event reaches every handler, in order per aggregate, and a failing handler holds up nobody else."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from {{ cookiecutter.package_name }}.polling.api import Event, Subscription
from {{ cookiecutter.package_name }}.polling.database import Database
from {{ cookiecutter.package_name }}.polling.further_task import FurtherTask
from {{ cookiecutter.package_name }}.polling.relay import OutboxRelay

from tests.integration.polling.workshop import (
    FAST,
    SECOND,
    THINGS,
    FakeSystem,
    OpenGate,
    accepted,
    done,
    execute,
    poller_of,
    rows,
    running,
)
from tests.waiting import eventually

STORE = """INSERT INTO polling_outbox (topic, task, task_id, aggregate, aggregate_id)
SELECT CAST(:topic AS text), 't', n, 'order', 1 + n % CAST(:aggregates AS int)
FROM generate_series(1, CAST(:n AS int)) AS n ORDER BY n RETURNING event_id"""


async def store(database: Database, n: int, *, topic: str = "t.completed", aggregates: int = 1000) -> None:
    await execute(database, STORE, topic=topic, n=n, aggregates=aggregates)


class Listener:
    """Remembers what it got; fails for chosen aggregates until told otherwise."""

    def __init__(self, *failing: int) -> None:
        self.got: list[Event] = []
        self.failing = set(failing)
        self.tries = 0

    async def handle(self, event: Event) -> None:
        """Take an event, or fail."""
        self.tries += 1
        await asyncio.sleep(0)
        if event.aggregate_id in self.failing:
            raise ConnectionError("not now")
        self.got.append(event)

    def of(self, aggregate_id: int) -> list[int]:
        """Return the events of one aggregate in the order of their arrival."""
        return [event.event_id for event in self.got if event.aggregate_id == aggregate_id]


@asynccontextmanager
async def relaying(database: Database, *relays: Sequence[Subscription]) -> AsyncIterator[None]:
    made = [OutboxRelay(database, subscriptions, FAST) for subscriptions in relays]
    runs = [asyncio.create_task(relay.run()) for relay in made]
    try:
        yield
    finally:
        for relay in made:
            relay.stop()
        await asyncio.gather(*runs)


async def waiting(database: Database) -> int:
    (row,) = await execute(
        database,
        "SELECT (SELECT count(*) FROM polling_outbox WHERE published_at IS NULL) "
        "+ (SELECT count(*) FROM polling_delivery) AS n",
    )
    return int(row.n)


async def test_every_event_reaches_every_handler_of_its_topic_once(database: Database) -> None:
    first, second, other = Listener(), Listener(), Listener()
    await store(database, 250)

    subscriptions = [
        Subscription("t.completed", "first", first),
        Subscription("t.completed", "second", second),
        Subscription("t.failed", "other", other),
    ]
    async with relaying(database, subscriptions):
        await eventually(lambda: waiting(database), lambda n: n == 0)

    assert sorted(e.event_id for e in first.got) == sorted(e.event_id for e in second.got) == list(range(1, 251))
    assert other.got == []


async def test_order_per_aggregate_holds_over_several_relays(database: Database) -> None:
    listener = Listener()
    await store(database, 300, aggregates=7)
    subscriptions = [Subscription("t.completed", "first", listener)]

    async with relaying(database, subscriptions, subscriptions, subscriptions):
        await eventually(lambda: waiting(database), lambda n: n == 0)

    assert len(listener.got) == 300
    for aggregate_id in range(1, 8):
        assert listener.of(aggregate_id) == sorted(listener.of(aggregate_id))


async def test_a_failing_handler_holds_up_neither_others_nor_other_aggregates(database: Database) -> None:
    healthy, failing = Listener(), Listener(2)
    await store(database, 30, aggregates=3)
    subscriptions = [
        Subscription("t.completed", "healthy", healthy),
        Subscription("t.completed", "failing", failing),
    ]

    async with relaying(database, subscriptions):
        await eventually(lambda: waiting(database), lambda n: n == 10)

        assert len(healthy.got) == 30
        assert len(failing.got) == 20
        assert failing.of(2) == []


async def test_what_failed_comes_back_in_order_even_after_a_restart(database: Database) -> None:
    listener = Listener(2)
    await store(database, 9, aggregates=3)
    subscriptions = [Subscription("t.completed", "first", listener)]
    async with relaying(database, subscriptions):
        await eventually(lambda: waiting(database), lambda n: n == 3)

    listener.failing.clear()
    async with relaying(database, subscriptions):
        await eventually(lambda: waiting(database), lambda n: n == 0)

    assert len(listener.of(2)) == 3
    assert listener.of(2) == sorted(listener.of(2))


async def test_a_handler_that_hangs_is_ended_and_its_event_comes_back(database: Database) -> None:
    async def hangs(_: Event) -> None:
        await asyncio.sleep(60)

    await store(database, 1)
    settings = FAST.model_copy(update={"event_timeout": 0.05})
    relay = OutboxRelay(database, [Subscription("t.completed", "first", hangs)], settings)

    assert await relay.publish_batch() == 1

    (owed,) = await execute(database, "SELECT attempts, last_error FROM polling_delivery")
    assert owed.attempts == 1
    assert "TimeoutError" in owed.last_error


async def test_a_crashed_relay_loses_nothing(database: Database) -> None:
    """It claimed and died: the claim runs out, and somebody else delivers."""
    listener = Listener()
    await store(database, 3)
    await execute(
        database,
        "UPDATE polling_outbox SET claim_no = 1, claimed_until = now() + interval '0.3 s' RETURNING event_id",
    )

    async with relaying(database, [Subscription("t.completed", "first", listener)]):
        await eventually(lambda: waiting(database), lambda n: n == 0)

    assert len(listener.got) == 3


async def test_a_handler_queues_the_next_task_of_the_flow_once(database: Database) -> None:
    await accepted(database, 1)
    further = FurtherTask(database, THINGS, SECOND, FAST)

    async def queue_next(event: Event) -> None:
        await further.follow(event)

    await execute(
        database,
        "INSERT INTO polling_outbox (topic, task, task_id, aggregate, aggregate_id) "
        "SELECT 't.completed', 't', 1, 'order', 1 RETURNING event_id",
    )
    subscriptions = [Subscription("t.completed", "first", queue_next)]
    async with relaying(database, subscriptions):
        await eventually(lambda: waiting(database), lambda n: n == 0)
    await execute(database, "UPDATE polling_outbox SET published_at = NULL RETURNING event_id")
    async with relaying(database, subscriptions):
        await eventually(lambda: waiting(database), lambda n: n == 0)

    assert len(await rows(database, SECOND)) == 1


def test_two_handlers_of_one_name_are_refused(opened: Database) -> None:
    listener = Listener()
    subscriptions = [Subscription("a", "same", listener), Subscription("b", "same", listener)]

    with pytest.raises(ValueError, match="same"):
        OutboxRelay(opened, subscriptions, FAST)


async def test_an_event_of_this_process_is_handed_on_at_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("{{ cookiecutter.package_name }}.polling.relay.IDLE_S", 60)
    listener = Listener()
    relay = OutboxRelay(database, [Subscription("order_confirmation.completed", "listener", listener)], FAST)
    run = asyncio.create_task(relay.run())
    await asyncio.sleep(0.1)  # it has looked, and sleeps by now
    gate = OpenGate()
    poller = poller_of(database, gate, FakeSystem(gate, done), event_stored=relay.wake)

    async with running(poller):
        await accepted(database, 3)
        poller.wake("order_confirmation")
        await eventually(lambda: waiting(database), lambda n: n == 0 and len(listener.got) == 3)
    relay.stop()
    await run
