"""What queues the next task of a flow."""

from datetime import UTC, datetime

import pytest

from {{ cookiecutter.package_name }}.application.flow import NextTask
from {{ cookiecutter.package_name }}.polling.api import Accepted, BacklogFullError, Event


class FakeFollower:
    """Queues once per event, or fails as told."""

    def __init__(self, *known: int) -> None:
        self.known = known
        self.events: list[int] = []
        self.error: BacklogFullError | None = None

    async def follow(self, event: Event) -> Accepted | None:
        if self.error:
            raise self.error
        if event.aggregate_id not in self.known:
            return None
        self.events.append(event.event_id)
        return Accepted(event.aggregate_id, task_id=70)


def completed(aggregate_id: int) -> Event:
    return Event(
        event_id=3,
        topic="order_confirmation.completed",
        task="order_confirmation",
        task_id=7,
        aggregate_id=aggregate_id,
        reason=None,
        created_at=datetime(2030, 1, 1, tzinfo=UTC),
    )


@pytest.fixture
def woken() -> list[str]:
    return []


async def test_it_queues_the_task_for_the_event_and_wakes_its_poller(woken: list[str]) -> None:
    follower = FakeFollower(1)

    await NextTask("order_receipt", follower, woken.append).handle(completed(1))

    assert follower.events == [3]
    assert woken == ["order_receipt"]


async def test_what_is_gone_ends_the_flow_and_is_not_tried_for_ever(woken: list[str]) -> None:
    await NextTask("order_receipt", FakeFollower(), woken.append).handle(completed(1))

    assert woken == []


async def test_what_fails_is_left_to_the_relay(woken: list[str]) -> None:
    follower = FakeFollower(1)
    follower.error = BacklogFullError(retry_after_s=5)

    with pytest.raises(BacklogFullError):
        await NextTask("order_receipt", follower, woken.append).handle(completed(1))

    assert woken == []
