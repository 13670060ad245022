"""APScheduler's part: it wakes pollers and runs housekeeping, and it never runs a claim.

A claim run inside an APScheduler job loses wake-ups ("maximum number of running instances reached") until the next
tick: 5 s at the 99th percentile instead of some milliseconds.
"""

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from ..polling.retention import prune
from .composition import Service

JITTER_RATIO = 0.1
"""Of the interval: pods that started together must not claim together for ever."""

PRUNE_EVERY_S = 600.0


def ticks(service: Service, *, works: bool) -> AsyncIOScheduler:
    """Return a scheduler, not yet started; `works` says whether this process runs tasks."""
    scheduler = AsyncIOScheduler(
        job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None}, timezone="UTC"
    )
    settings = service.configuration.polling
    for system in service.systems:
        scheduler.add_job(
            system.health.refresh,
            "interval",
            seconds=system.guard.settings.health_ttl,
            jitter=system.guard.settings.health_ttl * JITTER_RATIO,
            id=f"probe {system.name}",
        )
        scheduler.add_job(system.health.refresh, id=f"first probe {system.name}")
    if not works:
        return scheduler
    for poller in service.pollers:
        scheduler.add_job(
            poller.tick,
            "interval",
            seconds=settings.interval,
            jitter=settings.interval * JITTER_RATIO,
            id=f"tick {poller.system}",
        )
    tables = [task.table for task in service.graph.tasks]
    scheduler.add_job(prune, "interval", seconds=PRUNE_EVERY_S, args=[service.database, tables, settings], id="prune")
    return scheduler
