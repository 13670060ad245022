from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

class AsyncIOScheduler:
    running: bool
    def __init__(self, *, job_defaults: Mapping[str, object] | None = None, timezone: str | None = None) -> None: ...
    def add_job(
        self,
        func: Callable[..., Any],
        trigger: Literal["interval"] | None = None,
        args: Iterable[object] | None = None,
        kwargs: Mapping[str, object] | None = None,
        id: str | None = None,
        *,
        seconds: float = ...,
        jitter: float | None = ...,
        max_instances: int = ...,
        coalesce: bool = ...,
        misfire_grace_time: int | None = ...,
        replace_existing: bool = False,
    ) -> Job: ...
    def get_jobs(self) -> list[Job]: ...
    def start(self, paused: bool = False) -> None: ...
    def shutdown(self, wait: bool = True) -> None: ...

class Job:
    id: str
    def remove(self) -> None: ...
