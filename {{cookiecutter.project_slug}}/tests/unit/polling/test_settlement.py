"""From an outcome or a verdict to how the row goes on."""

import math
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from {{ cookiecutter.package_name }}.polling.api import Burn, ClaimedTask, Reject, StillPending, Wait
from {{ cookiecutter.package_name }}.polling.settings import PollingSettings
from {{ cookiecutter.package_name }}.polling.settlement import (
    ERROR_LENGTH,
    MAX_WAIT_S,
    MIN_WAIT_S,
    settle,
    settle_verdict,
    storable,
    waited,
)

SETTINGS = PollingSettings()


def task(*, retries: int = 0, polls: int = 0) -> ClaimedTask:
    return ClaimedTask(1, "order_confirmation", 1, uuid4(), {}, "op", retries, polls, 1, 1, None)


@pytest.mark.parametrize(("retries", "around_s"), [(0, 2), (1, 4), (6, 128), (8, 300), (18, 300)])
def test_burned_attempts_wait_twice_as_long_each_time_within_a_fifth(retries: int, around_s: float) -> None:
    for _ in range(50):
        settlement = settle_verdict(task(retries=retries), Burn("x"), SETTINGS)

        assert settlement.kind == "burned"
        assert around_s * 0.8 <= settlement.delay_s <= around_s * 1.2


@pytest.mark.parametrize(("polls", "wait_s"), [(0, 2), (1, 4), (7, 256), (8, 300), (5000, 300)])
def test_polls_wait_twice_as_long_each_time(polls: int, wait_s: float) -> None:
    assert settle(task(polls=polls), StillPending(), SETTINGS).delay_s == wait_s


def test_all_retries_together_outlast_an_hour() -> None:
    """R-RES-RE-5: with the guide's numbers a task fails after about 70 minutes."""
    waits = [min(2.0 ** (n + 1), SETTINGS.backoff_max) for n in range(SETTINGS.max_attempts - 1)]

    assert 60 * 60 < sum(waits) < 70 * 60


@given(st.floats())
def test_any_retry_after_becomes_a_wait_that_makes_sense(retry_after_s: float) -> None:
    assert MIN_WAIT_S <= waited(retry_after_s) <= MAX_WAIT_S


def test_a_wait_is_kept_and_spread() -> None:
    waits = {settle_verdict(task(), Wait("x", 10), SETTINGS).delay_s for _ in range(50)}

    assert min(waits) >= 10
    assert max(waits) <= 12
    assert len(waits) > 1
    assert settle_verdict(task(), Wait("x", math.nan), SETTINGS).delay_s < 1


def test_a_rejection_keeps_its_reason() -> None:
    settlement = settle_verdict(task(), Reject("422: no such account"), SETTINGS)

    assert (settlement.kind, settlement.error) == ("rejected", "422: no such account")


@given(st.text(st.characters(), max_size=3 * ERROR_LENGTH))
def test_any_error_becomes_text_that_postgresql_takes(text: str) -> None:
    kept = storable(text)

    assert len(kept) <= ERROR_LENGTH
    assert "\0" not in kept
    kept.encode()
