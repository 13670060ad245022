"""From what a handler did to how its row goes on: the table "what burns an attempt" (R-RES-RE-5)."""

import math
from dataclasses import dataclass
from random import SystemRandom
from typing import Literal

from .api import Burn, ClaimedTask, Completed, Reject, Rejected, StillPending, Submitted, Verdict, Wait
from .settings import PollingSettings

Kind = Literal["completed", "submitted", "pending", "burned", "refused", "rejected", "failed", "released"]

chance = SystemRandom()

ERROR_LENGTH = 2000
"""Characters of `last_error`: a stack of causes fits, a page of HTML does not."""

EXTERNAL_ID_LENGTH = 1000
"""Longer than any identifier; what is longer is a document in the wrong place."""

MIN_WAIT_S = 0.2
"""A refusal that names no time: long enough not to spin, short enough not to be felt."""

MAX_WAIT_S = 86_400.0
"""A Retry-After beyond a day is believed for a day."""

POISON = "claimed again and again without an outcome: it seems to kill its process"
TOO_LATE = "the deadline passed before the system settled it"


@dataclass(frozen=True, slots=True)
class Settlement:
    """How one claimed row goes on."""

    task_id: int
    claim_no: int
    kind: Kind
    delay_s: float = 0.0
    error: str | None = None
    external_id: str | None = None


def settle(task: ClaimedTask, outcome: object, settings: PollingSettings) -> Settlement:
    """Return how the row goes on after an answer."""
    match outcome:
        case Completed():
            return Settlement(task.task_id, task.claim_no, "completed")
        case Submitted(external_id):
            if not external_id or len(external_id) > EXTERNAL_ID_LENGTH or storable(external_id) != external_id:
                return burned(task, "the system answered with an id that cannot be stored", settings)
            return Settlement(
                task.task_id, task.claim_no, "submitted", delay_s=settings.poll_base, external_id=external_id
            )
        case StillPending():
            delay_s = doubled(settings.poll_base, task.poll_count + 1, settings.backoff_max)
            return Settlement(task.task_id, task.claim_no, "pending", delay_s=delay_s)
        case Rejected(reason):
            return Settlement(task.task_id, task.claim_no, "rejected", error=storable(reason))
    return burned(task, f"the handler answered with {type(outcome).__name__}, which is no outcome", settings)


def settle_verdict(task: ClaimedTask, verdict: Verdict, settings: PollingSettings) -> Settlement:
    """Return how the row goes on after an error, by what the judge made of it."""
    match verdict:
        case Burn(reason):
            return burned(task, reason, settings)
        case Wait(reason, retry_after_s):
            return refused(task, reason, retry_after_s)
        case Reject(reason):
            return Settlement(task.task_id, task.claim_no, "rejected", error=storable(reason))


def burned(task: ClaimedTask, reason: str, settings: PollingSettings) -> Settlement:
    """An attempt was made and counts; the last one makes the row FAILED (the statement decides)."""
    delay_s = doubled(1.0, task.retry_count + 1, settings.backoff_max) * chance.uniform(0.8, 1.2)
    return Settlement(task.task_id, task.claim_no, "burned", delay_s=delay_s, error=storable(reason))


def refused(task: ClaimedTask, reason: str, retry_after_s: float) -> Settlement:
    """Nothing was tried, or a trial of a recovering system was: nothing is burned."""
    delay_s = waited(retry_after_s) * chance.uniform(1.0, 1.2)
    return Settlement(task.task_id, task.claim_no, "refused", delay_s=delay_s, error=storable(reason))


def waited(retry_after_s: float) -> float:
    """Return a wait that makes sense, whatever a system's Retry-After said."""
    return min(max(retry_after_s, MIN_WAIT_S), MAX_WAIT_S) if math.isfinite(retry_after_s) else MIN_WAIT_S


def poisoned(task: ClaimedTask) -> Settlement:
    """Too many processes died over this row."""
    return Settlement(task.task_id, task.claim_no, "failed", error=POISON)


def released(task: ClaimedTask) -> Settlement:
    """Hand the row back as if it had not been claimed."""
    return Settlement(task.task_id, task.claim_no, "released")


def doubled(first_s: float, times: int, limit_s: float) -> float:
    """Return `first_s * 2^times`, at most `limit_s`."""
    return min(first_s * 2.0 ** min(times, 64), limit_s)


def storable(text: str) -> str:
    """Return a text that PostgreSQL takes: cut, without NUL and lone surrogates."""
    return text[:ERROR_LENGTH].replace("\0", "").encode("utf-8", "replace").decode()
