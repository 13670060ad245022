"""The table "what burns an attempt", row by row (R-RES-RE-5)."""

import pytest

from {{ cookiecutter.package_name }}.infrastructure.verdicts import judge
from {{ cookiecutter.package_name }}.polling.api import Burn, Reject, Verdict, Wait
from {{ cookiecutter.package_name }}.resilience.errors import (
    BadResponseError,
    BulkheadFullError,
    CircuitOpenError,
    DeadlineExceededError,
    OutcomeUnknownError,
    PortError,
    RejectedError,
    SystemFailedError,
    ThrottledError,
    TimedOutError,
    UnauthorizedError,
    UnreachableError,
)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (CircuitOpenError("sber", retry_after_s=7), Wait),
        (BulkheadFullError("sber", retry_after_s=1), Wait),
        (DeadlineExceededError("sber"), Wait),
        (ThrottledError("sber", retry_after_s=9), Wait),
        (ThrottledError("sber"), Burn),
        (UnauthorizedError("sber"), Burn),
        (RejectedError("sber", 408), Burn),
        (RejectedError("sber", 400), Reject),
        (RejectedError("sber", 404), Reject),
        (RejectedError("sber", 409), Reject),
        (RejectedError("sber", 422, "no such account"), Reject),
        (SystemFailedError("sber", 503), Burn),
        (TimedOutError("sber"), Burn),
        (UnreachableError("sber"), Burn),
        (OutcomeUnknownError("sber"), Burn),
        (BadResponseError("sber"), Burn),
        (ZeroDivisionError("a bug of ours"), Burn),
    ],
    ids=lambda value: getattr(value, "code", None) or getattr(value, "__name__", "bug"),
)
def test_an_error_has_its_verdict(error: Exception, kind: type[Verdict]) -> None:
    assert isinstance(judge(error), kind)


def test_a_wait_lasts_as_long_as_the_refusal_says() -> None:
    assert judge(CircuitOpenError("sber", retry_after_s=7.5)) == Wait(str(CircuitOpenError("sber")), 7.5)


def test_a_rejection_keeps_the_systems_reason() -> None:
    verdict = judge(RejectedError("sber", 422, "no such account"))

    assert isinstance(verdict, Reject)
    assert "no such account" in verdict.reason


def test_every_error_of_a_port_has_a_verdict() -> None:
    def below(kind: type[PortError]) -> set[type[PortError]]:
        return {kind}.union(*(below(sub) for sub in kind.__subclasses__()))

    needs_status = {RejectedError, SystemFailedError}
    for kind in below(PortError) - needs_status:
        assert isinstance(judge(kind("sber")), Burn | Wait | Reject)
