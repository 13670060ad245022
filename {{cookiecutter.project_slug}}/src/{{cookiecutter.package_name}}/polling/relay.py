"""The relay: hands events of the outbox to their handlers, at least once, in order per aggregate.

A handler that fails gets its event back later, again and again, and with it every later event of that aggregate; it
holds up no other handler and no other aggregate. Handlers run outside any transaction.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from .api import Event, Subscription
from .database import Database
from .errors import DatabaseUnavailableError
from .events import ClaimedDelivery, ClaimedEvent, Outbox, Owed
from .settings import PollingSettings
from .settlement import chance, doubled, storable

__all__ = ["OutboxRelay", "Subscription"]

T = TypeVar("T")
logger = logging.getLogger(__name__)

BATCH = 100
IDLE_S = 0.5
"""Between looks while nothing is there: what a handler adds to a flow, at most, for events of other processes."""

GATHER_S = 0.05
"""From a wake-up to the look: what is stored meanwhile costs no statements of its own, and no flow notices."""

LEASE_FACTOR = 4 / 3
"""Of a handler's time: it has ended, one way or the other, before anybody else may try."""

DATABASE_WAIT_S = (0.3, 1.0)


class OutboxRelay:
    """Runs in every worker; any number of them share the work."""

    def __init__(self, database: Database, subscriptions: Sequence[Subscription], settings: PollingSettings) -> None:
        names = [subscription.name for subscription in subscriptions]
        if doubles := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"two subscriptions are called {', '.join(sorted(doubles))}")
        self._settings = settings
        self._by_topic: dict[str, list[Subscription]] = defaultdict(list)
        for subscription in subscriptions:
            self._by_topic[subscription.topic].append(subscription)
        self._by_name = {subscription.name: subscription for subscription in subscriptions}
        self._lease_s = settings.event_timeout * LEASE_FACTOR
        self._outbox = Outbox(database, self._lease_s)
        self._places = asyncio.Semaphore(settings.events_at_once)
        self._woken = asyncio.Event()
        self._stopping = False

    def wake(self) -> None:
        """Say that an event was stored by this process."""
        self._woken.set()

    def stop(self) -> None:
        """Publish what is there once more, then let `run` return."""
        self._stopping = True
        self._woken.set()

    async def run(self) -> None:
        """Publish until stopped."""
        while True:
            last = self._stopping
            self._woken.clear()
            try:
                moved = await self.publish_batch() + await self.deliver_batch()
            except (DatabaseUnavailableError, SQLAlchemyError) as error:
                unexpected = error if isinstance(error, SQLAlchemyError) else None
                logger.warning("outbox.publish_failed", extra={"error": str(error)}, exc_info=unexpected)
                if last:
                    return
                await asyncio.sleep(chance.uniform(*DATABASE_WAIT_S))
                continue
            if last and not moved:
                return
            if not moved and not self._stopping:
                await self._sleep()

    async def _sleep(self) -> None:
        """Wait until something was stored here and a moment more, or for what others stored."""
        with suppress(TimeoutError):
            async with asyncio.timeout(IDLE_S * chance.uniform(0.9, 1.1)):
                await self._woken.wait()
                if not self._stopping:
                    await asyncio.sleep(GATHER_S)

    async def publish_batch(self) -> int:
        """Hand on the events whose turn it is; returns how many there were."""
        trusted_until = time.monotonic() + self._lease_s
        claimed = await self._outbox.claim(BATCH)
        if claimed:
            owed = [o for found in await _all(self._publish(c, trusted_until) for c in claimed) for o in found]
            await self._outbox.publish(claimed, owed)
        return len(claimed)

    async def _publish(self, claimed: ClaimedEvent, trusted_until: float) -> list[Owed]:
        owed = []
        for subscription in self._by_topic.get(claimed.event.topic, ()):
            async with self._places:
                if subscription.name in claimed.behind or not self._is_time(trusted_until):
                    owed.append(Owed(claimed.event.event_id, subscription.name, 0, None))
                elif (error := await self._deliver(subscription, claimed.event)) is not None:
                    owed.append(Owed(claimed.event.event_id, subscription.name, 1, error))
        return owed

    async def deliver_batch(self) -> int:
        """Try again what handlers owe and is due; returns how many there were."""
        trusted_until = time.monotonic() + self._lease_s
        claimed = await self._outbox.claim_deliveries(list(self._by_name), BATCH)
        await _all(self._redeliver(c, trusted_until) for c in claimed)
        return len(claimed)

    async def _redeliver(self, claimed: ClaimedDelivery, trusted_until: float) -> None:
        async with self._places:
            if not self._is_time(trusted_until):
                return
            error = await self._deliver(self._by_name[claimed.subscription], claimed.event)
            if error is None:
                await self._outbox.delivered(claimed)
            else:
                delay_s = doubled(1.0, claimed.attempts + 1, self._settings.backoff_max)
                await self._outbox.failed(claimed, error, delay_s * chance.uniform(0.8, 1.2))

    def _is_time(self, trusted_until: float) -> bool:
        """Say whether a handler would end within the lease; a later one could overtake the next event."""
        return time.monotonic() + self._settings.event_timeout < trusted_until

    async def _deliver(self, subscription: Subscription, event: Event) -> str | None:
        """Return what went wrong, None if nothing did."""
        try:
            async with asyncio.timeout(self._settings.event_timeout):
                await subscription.deliver(event)
        except Exception as error:
            facts = {"subscription": subscription.name, "topic": event.topic, "event_id": event.event_id}
            logger.exception("outbox.handler_failed", extra=facts)
            return storable(f"{type(error).__name__}: {error}")
        return None


async def _all(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run all to their ends, then raise what the first of them raised."""
    ended = await asyncio.gather(*works, return_exceptions=True)
    results: list[T] = []
    for one in ended:
        if isinstance(one, BaseException):
            raise one
        results.append(one)
    return results
