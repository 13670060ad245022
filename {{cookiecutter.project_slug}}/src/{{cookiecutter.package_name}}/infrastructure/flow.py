"""Which task follows which: checked when discovery has found all, then turned into subscriptions of the outbox."""

from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter

from ..polling.api import ENDINGS, Subscription
from .discovery import DiscoveryError
from .resources import Resources
from .slices import Task


def check_flow(tasks: Sequence[Task]) -> None:
    """See that every topic that a task follows is sent, and that no flow goes in a circle.

    Raises:
        DiscoveryError: one is not; the message names the file and the fix.
    """
    steps = {task.name: {topic.partition(".")[0] for topic in task.follows} for task in tasks}
    for task in tasks:
        if task.follows and task.next_step is None:
            raise DiscoveryError(f"{_module(task)}: follows {list(task.follows)} and has no `next_step` that queues it")
        aggregate = task.table.info["aggregate"]
        known = topics(t for t in tasks if t.name != task.name and t.table.info["aggregate"] == aggregate)
        for topic in task.follows:
            if topic not in known:
                raise DiscoveryError(
                    f"{_module(task)}: FOLLOWS names {topic!r}, which no other task of the aggregate {aggregate!r} "
                    f"sends (there are: {', '.join(known) or 'none'})"
                )
    try:
        TopologicalSorter(steps).prepare()
    except CycleError as error:
        circle = list(error.args[1])
        raise DiscoveryError(
            f"wiring/tasks/{circle[0]}.py: FOLLOWS goes in a circle ({' -> '.join(circle)}); take one of them out"
        ) from None


def subscriptions(tasks: Sequence[Task], resources: Resources) -> list[Subscription]:
    """Build what is told of events: what each task's wiring wants, and what queues the tasks that follow.

    Raises:
        DiscoveryError: a subscription names a topic that no task sends, so it would wait for ever.
    """
    known, found = topics(tasks), list[Subscription]()
    for task in tasks:
        wanted = task.subscriptions(resources) if task.subscriptions else ()
        for subscription in wanted:
            if subscription.topic not in known:
                raise DiscoveryError(
                    f"{_module(task)}: subscribes to {subscription.topic!r}, which no task sends "
                    f"(there are: {', '.join(known)})"
                )
        found += wanted
        if task.next_step and task.follows:
            handler = task.next_step(resources)
            found += [Subscription(topic, f"{topic} -> {task.name}", handler) for topic in task.follows]
    return found


def topics(tasks: Iterable[Task]) -> list[str]:
    """Return every topic that the tasks send."""
    return [f"{task.name}.{ending}" for task in tasks for ending in ENDINGS]


def _module(task: Task) -> str:
    return f"wiring/tasks/{task.name}.py"
