"""What a module in `wiring/` exports: `AGGREGATE`, an `Aggregate`, or `TASK`, a `Task`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fastapi import APIRouter
from sqlalchemy import Table

from ..polling.api import EventHandler, Subscription, TaskHandler
from .resources import Resources, TaskResources


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One aggregate: its table and its routes."""

    name: str
    table: Table
    routes: Callable[[Resources], APIRouter]


@dataclass(frozen=True, slots=True)
class Task:
    """One kind of work that waits for an external system (R-RES-ASYNC-1).

    Args:
        name: the task's name, in metrics and logs too.
        system: the name of the external system it waits for; its poller runs the task.
        table: the task table.
        handler: builds what runs a claimed row. It gets adapters that make a single attempt (R-RES-WHERE-3).
        routes: builds the task's own routes; the first task of an aggregate has none.
        subscriptions: builds what happens when events of the outbox arrive.
        follows: the topics after which the task is queued by itself; they belong to tasks of the same aggregate.
        next_step: builds what queues it then.
    """

    name: str
    system: str
    table: Table
    handler: Callable[[TaskResources], TaskHandler]
    routes: Callable[[Resources], APIRouter] | None = None
    subscriptions: Callable[[Resources], Sequence[Subscription]] | None = None
    follows: Sequence[str] = ()
    next_step: Callable[[Resources], EventHandler] | None = None
