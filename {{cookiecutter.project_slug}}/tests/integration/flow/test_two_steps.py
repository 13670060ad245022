"""Accept, confirm, send the receipt: the second task is queued when the first has completed, once, whatever happens."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from {{ cookiecutter.package_name }}.application.flow import NextTask
from {{ cookiecutter.package_name }}.polling.acceptance import Acceptance
from {{ cookiecutter.package_name }}.polling.api import (
    ClaimedTask,
    Completed,
    Event,
    Outcome,
    Rejected,
    Subscription,
    TaskView,
)
from {{ cookiecutter.package_name }}.polling.database import Database
from {{ cookiecutter.package_name }}.polling.further_task import FurtherTask
from {{ cookiecutter.package_name }}.polling.relay import OutboxRelay
from {{ cookiecutter.package_name }}.polling.views import task_views

from tests.integration.polling.workshop import (
    FAST,
    FIRST,
    SECOND,
    THINGS,
    FakeSystem,
    OpenGate,
    execute,
    poller_of,
    rows,
    running,
)
from tests.waiting import eventually

CONFIRMED = "order_confirmation.completed"
AGAIN = "UPDATE polling_outbox SET published_at = NULL WHERE topic = CAST(:topic AS text) RETURNING event_id"
UNPUBLISHED = "SELECT count(*) AS n FROM polling_outbox WHERE published_at IS NULL"


class Shop:
    """Two external systems, their pollers, and who is told of events."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.bank = FakeSystem(OpenGate(), self.decide)
        self.receipts = FakeSystem(OpenGate())
        self.refuses = False
        self.pollers = {
            "order_confirmation": poller_of(database, self.bank.gate, self.bank),
            "order_receipt": poller_of(database, self.receipts.gate, self.receipts, table=SECOND),
        }
        self.next_task = NextTask("order_receipt", FurtherTask(database, THINGS, SECOND, FAST), self.wake)

    async def decide(self, _: ClaimedTask) -> Outcome:
        """Answer for the bank."""
        return Rejected("no funds") if self.refuses else Completed()

    def wake(self, task: str) -> None:
        """Wake the poller of a task."""
        self.pollers[task].wake(task)

    async def accept(self) -> int:
        """Take an order in; returns its id."""
        order = await Acceptance(self.database, THINGS, FIRST, FAST).accept({"amount": 1})
        self.wake("order_confirmation")
        return order.aggregate_id

    async def statuses(self, order_id: int) -> dict[str, str]:
        """Return how the order's tasks stand."""
        return {view.task: view.status for view in await self.views(order_id)}

    async def views(self, order_id: int) -> Sequence[TaskView]:
        """Return the order's tasks as a client sees them."""
        return await task_views(self.database, THINGS, order_id)

    async def all_published(self) -> None:
        """Wait until every event has reached its handlers."""

        async def unpublished() -> int:
            (row,) = await execute(self.database, UNPUBLISHED)
            return int(row.n)

        await eventually(unpublished, lambda n: n == 0)


@pytest.fixture
async def shop(database: Database) -> AsyncIterator[Shop]:
    shop = Shop(database)
    first, second = shop.pollers.values()
    async with running(first), running(second):
        yield shop


@asynccontextmanager
async def relaying(shop: Shop, *subscriptions: Subscription) -> AsyncIterator[None]:
    relay = OutboxRelay(shop.database, subscriptions, FAST)
    run = asyncio.create_task(relay.run())
    try:
        yield
    finally:
        relay.stop()
        await run


def following(shop: Shop) -> Subscription:
    return Subscription(CONFIRMED, f"{CONFIRMED} -> order_receipt", shop.next_task)


BOTH_DONE = {"order_confirmation": "COMPLETED", "order_receipt": "COMPLETED"}


async def test_the_second_task_follows_the_first(shop: Shop) -> None:
    async with relaying(shop, following(shop)):
        order_id = await shop.accept()

        await eventually(lambda: shop.statuses(order_id), lambda statuses: statuses == BOTH_DONE)

    assert list(shop.receipts.submissions.values()) == [1]


async def test_without_an_event_to_follow_it_is_not_queued(shop: Shop) -> None:
    async with relaying(shop):
        order_id = await shop.accept()
        await eventually(lambda: shop.statuses(order_id), lambda statuses: "COMPLETED" in statuses.values())
        await shop.all_published()

    assert await shop.statuses(order_id) == {"order_confirmation": "COMPLETED"}


async def test_it_follows_the_named_ending_only(shop: Shop) -> None:
    shop.refuses = True
    async with relaying(shop, following(shop)):
        order_id = await shop.accept()
        await eventually(lambda: shop.statuses(order_id), lambda statuses: "FAILED" in statuses.values())
        await shop.all_published()

    assert await shop.statuses(order_id) == {"order_confirmation": "FAILED"}


async def test_the_same_event_again_changes_nothing_though_the_second_task_has_ended(shop: Shop) -> None:
    async with relaying(shop, following(shop)):
        order_id = await shop.accept()
        await eventually(lambda: shop.statuses(order_id), lambda statuses: statuses == BOTH_DONE)
        before = await shop.views(order_id)

        assert await execute(shop.database, AGAIN, topic=CONFIRMED)
        await shop.all_published()

    assert await shop.views(order_id) == before
    assert len(await rows(shop.database, SECOND)) == 1
    assert list(shop.receipts.submissions.values()) == [1]


async def test_a_relay_that_dies_between_queueing_and_recording_leaves_one_second_task(shop: Shop) -> None:
    queued = asyncio.Event()

    async def queue_and_die(event: Event) -> None:
        await shop.next_task.handle(event)
        queued.set()
        await asyncio.sleep(60)

    relay = OutboxRelay(shop.database, [Subscription(CONFIRMED, following(shop).name, queue_and_die)], FAST)
    dying = asyncio.create_task(relay.run())
    order_id = await shop.accept()
    await queued.wait()
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    await eventually(lambda: shop.statuses(order_id), lambda statuses: statuses == BOTH_DONE)
    (event,) = await execute(shop.database, "SELECT * FROM polling_outbox WHERE topic = CAST(:t AS text)", t=CONFIRMED)
    assert event.published_at is None, "it was recorded, so nothing died in between"

    await execute(shop.database, "UPDATE polling_outbox SET claimed_until = now() RETURNING event_id")
    async with relaying(shop, following(shop)):
        await shop.all_published()

    assert len(await rows(shop.database, SECOND)) == 1
    assert list(shop.receipts.submissions.values()) == [1]
