"""How tasks look in the answers."""

from collections.abc import Iterable
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from {{ cookiecutter.package_name }}.polling.api import TaskView


class TaskState(BaseModel):
    """The latest task of one kind."""

    model_config = ConfigDict(from_attributes=True)

    task_id: int
    status: str
    external_id: str | None
    retry_count: int
    last_error: str | None
    next_attempt_at: datetime
    updated_at: datetime


def task_states(views: Iterable[TaskView]) -> dict[str, TaskState]:
    """Return the tasks by their names; what was never queued is not there."""
    return {view.task: TaskState.model_validate(view) for view in views}
