"""Which task may follow which, and what is said when one may not."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import BigInteger, Column, MetaData, Table

from {{ cookiecutter.package_name }}.infrastructure.discovery import DiscoveryError
from {{ cookiecutter.package_name }}.infrastructure.flow import check_flow, subscriptions
from {{ cookiecutter.package_name }}.infrastructure.resources import Resources, TaskResources
from {{ cookiecutter.package_name }}.infrastructure.slices import Task
from {{ cookiecutter.package_name }}.polling.api import ClaimedTask, Completed, Event, Outcome, Subscription
from {{ cookiecutter.package_name }}.polling.database import open_database
from {{ cookiecutter.package_name }}.polling.settings import PollingSettings
from {{ cookiecutter.package_name }}.polling.tables import task_table

NOWHERE = "postgresql+asyncpg://nobody@/nothing?host=/nonexistent"
METADATA = MetaData()
ORDERS = Table("orders", METADATA, Column("order_id", BigInteger, primary_key=True))
POLICIES = Table("policies", METADATA, Column("policy_id", BigInteger, primary_key=True))
TABLES = {
    "order_confirmation": task_table("order_confirmation", ORDERS),
    "order_receipt": task_table("order_receipt", ORDERS),
    "order_archive": task_table("order_archive", ORDERS),
    "policy_issue": task_table("policy_issue", POLICIES),
}


class Steps:
    """A handler of tasks and of events that remembers the events."""

    def __init__(self) -> None:
        self.topics: list[str] = []

    async def handle(self, event: Event) -> None:
        self.topics.append(event.topic)


class Work:
    """A handler of tasks that is never called here."""

    async def handle(self, task: ClaimedTask) -> Outcome:
        return Completed()


def work(_: TaskResources) -> Work:
    return Work()


def next_step(_: Resources) -> Steps:
    return Steps()


def task(name: str, *follows: str) -> Task:
    return Task(name, system="bank", table=TABLES[name], handler=work, follows=follows, next_step=next_step)


FIRST = task("order_confirmation")
OTHER = task("policy_issue")


def test_a_task_may_follow_tasks_of_its_aggregate() -> None:
    receipt = task("order_receipt", "order_confirmation.completed")
    archive = task("order_archive", "order_receipt.completed", "order_confirmation.failed")

    check_flow([archive, FIRST, receipt, OTHER])


@pytest.mark.parametrize(
    "topic",
    [
        "order_confirmaton.completed",
        "order_confirmation.done",
        "order_confirmation",
        "policy_issue.completed",
        "order_receipt.completed",
        "",
    ],
    ids=["typing error", "no such ending", "no ending", "another aggregate", "itself", "empty"],
)
def test_a_topic_that_cannot_be_followed_is_named_with_file_and_choice(topic: str) -> None:
    with pytest.raises(DiscoveryError) as refused:
        check_flow([FIRST, task("order_receipt", topic), OTHER])

    message = str(refused.value)
    assert message.startswith(f"wiring/tasks/order_receipt.py: FOLLOWS names {topic!r}, which no other task")
    assert message.endswith(
        "(there are: order_confirmation.completed, order_confirmation.failed, order_confirmation.rejected)"
    )


def test_a_circle_is_refused() -> None:
    receipt = task("order_receipt", "order_archive.completed")
    archive = task("order_archive", "order_receipt.completed")

    with pytest.raises(DiscoveryError, match=r"wiring/tasks/order_\w+\.py: FOLLOWS goes in a circle \(order_"):
        check_flow([FIRST, receipt, archive])


def test_to_follow_takes_something_that_queues() -> None:
    receipt = Task(
        "order_receipt",
        system="bank",
        table=TABLES["order_receipt"],
        handler=work,
        follows=("order_confirmation.completed",),
    )

    with pytest.raises(DiscoveryError, match=r"wiring/tasks/order_receipt\.py: .* no `next_step`"):
        check_flow([FIRST, receipt])


async def test_each_topic_becomes_a_subscription_and_without_any_there_is_none() -> None:
    async with open_database(NOWHERE) as database:
        resources = Resources({}, database, PollingSettings(), wake=lambda _: None)
        quiet = subscriptions([FIRST, task("order_receipt")], resources)
        following = subscriptions([FIRST, task("order_receipt", "order_confirmation.completed")], resources)

    assert quiet == []
    (only,) = following
    assert (only.topic, only.name) == ("order_confirmation.completed", "order_confirmation.completed -> order_receipt")
    event = Event(1, only.topic, "order_confirmation", 1, 1, None, datetime(2030, 1, 1, tzinfo=UTC))
    await only.deliver(event)
    assert isinstance(only.handler, Steps)
    assert only.handler.topics == [only.topic]


async def test_a_subscription_to_what_nobody_sends_is_refused() -> None:
    def wanted(_: Resources) -> list[Subscription]:
        return [Subscription("order_confirmation.don", "mine", Steps())]

    first = Task(
        "order_confirmation", system="bank", table=TABLES["order_confirmation"], handler=work, subscriptions=wanted
    )
    async with open_database(NOWHERE) as database:
        resources = Resources({}, database, PollingSettings(), wake=lambda _: None)
        with pytest.raises(DiscoveryError, match=r"wiring/tasks/order_confirmation\.py: subscribes to 'order_"):
            subscriptions([first], resources)
