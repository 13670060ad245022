"""What a call that has ended means for its row: its outcome, or what the judge makes of its error."""

import asyncio
import logging

from .api import Burn, Judge, Outcome, Wait
from .ledger import Held
from .outage import Outage
from .settings import PollingSettings
from .settlement import Settlement, burned, refused, settle, settle_verdict, waited

logger = logging.getLogger(__name__)


class Judgement:
    """Turns ends into settlements, and tells the outage what they say of the system."""

    def __init__(self, system: str, judge: Judge, outage: Outage, settings: PollingSettings) -> None:
        self._system = system
        self._judge = judge
        self._outage = outage
        self._settings = settings

    def of(self, held: Held, ended: asyncio.Task[Outcome]) -> Settlement:
        """Return how the row of a call goes on; the call has ended and was not cancelled."""
        settlement = self._settlement(held, ended)
        if settlement.kind in ("burned", "refused"):
            self._outage.paid(held)
        else:
            self._outage.succeeded(held)
        return settlement

    def _settlement(self, held: Held, ended: asyncio.Task[Outcome]) -> Settlement:
        error = ended.exception()
        try:
            return settle(held.task, ended.result(), self._settings) if error is None else self._judged(held, error)
        except Exception as fault:
            # A judge that fails must not keep the row in hand for ever.
            logger.exception("task.judge_failed", extra={"system": self._system, "task": held.task.task})
            return burned(held.task, f"not judged: {fault!r}", self._settings)

    def _judged(self, held: Held, error: BaseException) -> Settlement:
        verdict = self._judge(error) if isinstance(error, Exception) else Burn(repr(error))
        if isinstance(verdict, Wait):
            wait_s = waited(verdict.retry_after_s)
            self._outage.rest(min(wait_s, self._settings.backoff_max))
            return refused(held.task, verdict.reason, wait_s)
        if isinstance(verdict, Burn) and held.is_trial:
            # A trial tests the system, not the row.
            return refused(held.task, verdict.reason, self._outage.closed_for_s())
        return settle_verdict(held.task, verdict, self._settings)
