"""The tree of errors: complete, told apart by code, and clear about what was sent."""

from collections.abc import Iterator

import pytest

from {{ cookiecutter.package_name }}.resilience import errors
from {{ cookiecutter.package_name }}.resilience.errors import (
    FAILURES,
    TRANSIENT,
    ExecutionRejectedError,
    PortError,
    RejectedError,
    Sent,
    SystemFailedError,
)
from {{ cookiecutter.package_name }}.resilience.metrics import OUTCOMES


def below(kind: type[PortError]) -> Iterator[type[PortError]]:
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield child
            yield from below(child)


EVERY: list[type[PortError]] = [PortError, *below(PortError)]
LEAVES = [kind for kind in EVERY if not list(below(kind))]


def build(kind: type[PortError]) -> PortError:
    if issubclass(kind, SystemFailedError | RejectedError):
        return kind("bank", 599)
    return kind("bank")


def test_codes_are_unique() -> None:
    codes = [kind.code for kind in EVERY]

    assert len(set(codes)) == len(codes)


@pytest.mark.parametrize("kind", EVERY)
def test_every_error_explains_itself(kind: type[PortError]) -> None:
    error = build(kind)

    assert kind.__doc__
    assert str(error).startswith("bank: ")
    assert error.system == "bank"
    assert error.retry_after_s is None


@pytest.mark.parametrize("kind", LEAVES)
def test_a_refusal_sent_nothing_and_a_4xx_was_refused(kind: type[PortError]) -> None:
    sent = build(kind).sent

    if issubclass(kind, ExecutionRejectedError):
        assert sent is Sent.NOT_SENT
    elif kind not in FAILURES:
        assert sent is Sent.REFUSED


@pytest.mark.parametrize("kind", LEAVES)
def test_every_error_has_an_outcome(kind: type[PortError]) -> None:
    assert kind in OUTCOMES


def test_res_re_x2_nothing_is_repeated_that_does_not_count_against_the_system() -> None:
    assert set(TRANSIENT) < set(FAILURES)
