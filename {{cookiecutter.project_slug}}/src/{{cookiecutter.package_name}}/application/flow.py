"""The next step of a flow: a task is queued because another task of the same thing has ended."""

import logging
from dataclasses import dataclass
from typing import Protocol

from {{ cookiecutter.package_name }}.polling.api import Accepted, Event, Waker

logger = logging.getLogger(__name__)


class Follower(Protocol):
    """Stores a further task of the thing that an event is about."""

    async def follow(self, event: Event, /) -> Accepted | None:
        """Queue it once per event, however often the event comes; None if the thing does not exist any more."""
        ...


@dataclass(frozen=True, slots=True)
class NextTask:
    """Queues `task` when an event says that the step before it has ended; `wiring` says which events those are.

    An event comes at least once, perhaps again after the task that it queued has ended: the follower bears that. What
    fails here (a full backlog, no database) brings the event back later, so no step of a flow is lost.
    """

    task: str
    follower: Follower
    wake: Waker

    async def handle(self, event: Event) -> None:
        """Queue the task; a condition of your own ("only paid orders") goes before that."""
        accepted = await self.follower.follow(event)
        if accepted is None:
            logger.warning("flow.ended", extra={"task": event.task, "task_id": event.task_id})
            return
        logger.info("flow.queued", extra={"task": self.task, "task_id": accepted.task_id, "topic": event.topic})
        self.wake(self.task)
