"""What is accepted as an answer, and that nothing of the rest reaches a log."""

import json
import time
from email.utils import formatdate

import httpx
import pytest

from {{ cookiecutter.package_name }}.resilience.errors import (
    BadResponseError,
    PortError,
    RejectedError,
    Sent,
    SystemFailedError,
    ThrottledError,
    UnauthorizedError,
)
from {{ cookiecutter.package_name }}.resilience.translation import MAX_DETAIL

from .bank import GOOD, Step, answer, open_bank, swallow
from .simulated import simulated

WHOLE = b'{"owner": "Ada", "balance": 7}'
"""Satisfies the adapter: what is wrong with an answer that carries it is something else."""

CARD = "4111-1111-1111-1111"


def answering(status: int, content: bytes = b"{}", **headers: str) -> Step:
    async def step(_: httpx.Request) -> httpx.Response:
        return answer(status, content=content, headers={name.replace("_", "-"): text for name, text in headers.items()})

    return step


def error_of(step: Step, **changes: object) -> PortError:
    errors: list[PortError | None] = []

    @simulated
    async def scenario() -> None:
        async with open_bank(step, **changes) as opened:
            errors.append(await swallow(opened.task_bank.balance()))

    scenario()
    assert errors[0] is not None
    return errors[0]


@pytest.mark.parametrize(
    ("step", "kind", "sent"),
    [
        (answering(500), SystemFailedError, Sent.UNKNOWN),
        (answering(503), SystemFailedError, Sent.UNKNOWN),
        (answering(599), SystemFailedError, Sent.UNKNOWN),
        (answering(429), ThrottledError, Sent.REFUSED),
        (answering(401), UnauthorizedError, Sent.REFUSED),
        (answering(403), UnauthorizedError, Sent.REFUSED),
        (answering(404), RejectedError, Sent.REFUSED),
        (answering(422), RejectedError, Sent.REFUSED),
        (answering(302, WHOLE, Location="http://elsewhere.test"), BadResponseError, Sent.UNKNOWN),
        (answering(304, WHOLE), BadResponseError, Sent.UNKNOWN),
        (answering(200, b"<html>"), BadResponseError, Sent.UNKNOWN),
        (answering(200, b"{'a': 1}"), BadResponseError, Sent.UNKNOWN),
        (answering(200, b'{"balance": NaN}'), BadResponseError, Sent.UNKNOWN),
        (answering(200, b"\xff\xfe"), BadResponseError, Sent.UNKNOWN),
        (answering(200, b"[" * 100_000), BadResponseError, Sent.UNKNOWN),
        (answering(200, b"[]"), BadResponseError, Sent.UNKNOWN),
        (answering(200, b"null"), BadResponseError, Sent.UNKNOWN),
        (answering(200, WHOLE, Content_Encoding="gzip"), BadResponseError, Sent.UNKNOWN),
        (answering(200, WHOLE, Content_Encoding="br, gzip"), BadResponseError, Sent.UNKNOWN),
        (answering(200, WHOLE + b" " * 1_000_000), BadResponseError, Sent.UNKNOWN),
        (answering(200, b'{"owner": "Ada"}'), BadResponseError, Sent.UNKNOWN),
        (answering(200, b'{"owner": 1, "balance": "much"}'), BadResponseError, Sent.UNKNOWN),
        (answering(200, b""), BadResponseError, Sent.UNKNOWN),
    ],
)
def test_every_answer_has_its_error(step: Step, kind: type[PortError], sent: Sent) -> None:
    error = error_of(step)

    assert type(error) is kind
    assert error.sent is sent


@pytest.mark.parametrize(
    "step",
    [
        answering(200, json.dumps({"owner": CARD, "balance": CARD}).encode()),
        answering(200, f"<html>{CARD}".encode()),
        answering(200, f'["{CARD}"]'.encode()),
        answering(500, CARD.encode()),
        answering(401, json.dumps({"detail": CARD}).encode()),
        answering(302, Location=f"http://elsewhere.test/{CARD}"),
    ],
)
def test_nothing_of_an_answer_gets_into_error_or_log(step: Step, caplog: pytest.LogCaptureFixture) -> None:
    error = error_of(step)

    chain = [error, error.__cause__, None if error.__suppress_context__ else error.__context__]
    assert CARD not in " ".join(str(link) for link in chain)
    assert CARD not in " ".join(str(record.__dict__) for record in caplog.records)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"title": "No", "detail": "account is closed"}', "account is closed"),
        (b'{"error": "invalid_grant", "error_description": "expired"}', "expired"),
        (b'{"message": "no\\nnewline\\u0007 here"}', "no newline  here"),
        (b'{"detail": {"nested": 1}, "title": "No"}', "No"),
        (b"<html>no</html>", ""),
        (b"", ""),
    ],
)
def test_a_rejection_tells_the_systems_reason(content: bytes, reason: str) -> None:
    error = error_of(answering(409, content))

    assert isinstance(error, RejectedError)
    assert (error.status, error.reason) == (409, reason)


def test_a_reason_is_cut() -> None:
    error = error_of(answering(422, b'{"detail": "' + b"x" * 5_000 + b'"}'))

    assert isinstance(error, RejectedError)
    assert len(error.reason) == MAX_DETAIL


def test_a_reason_that_is_too_large_or_compressed_does_not_hide_the_rejection() -> None:
    for step in (answering(422, b"x" * 2_000_000), answering(422, b"\x1f\x8b", Content_Encoding="gzip")):
        error = error_of(step)

        assert isinstance(error, RejectedError)
        assert (error.status, error.reason) == (422, "")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("99999999999999", 3600.0),
        ("-1", None),
        ("1.5", None),
        ("soon", None),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
    ],
)
def test_retry_after_is_believed_within_reason(value: str, seconds: float | None) -> None:
    async def step(_: httpx.Request) -> httpx.Response:
        return answer(503, headers={"Retry-After": value})

    assert error_of(step).retry_after_s == seconds


def test_retry_after_may_be_a_date() -> None:
    error = error_of(answering(503, Retry_After=formatdate(time.time() + 100, usegmt=True)))

    assert error.retry_after_s == pytest.approx(100, abs=5)


@simulated
async def test_a_probe_does_not_care_about_the_body() -> None:
    async with open_bank(answering(200, b"fine", Content_Encoding="gzip")) as opened:
        await opened.bank.ping()


@simulated
async def test_an_empty_answer_is_an_empty_object() -> None:
    async with open_bank(answering(204, b"")) as opened:
        await opened.bank.notify("x")


@simulated
async def test_identity_is_asked_for_and_no_cookie_is_kept() -> None:
    async def step(_: httpx.Request) -> httpx.Response:
        return answer(200, GOOD, headers={"Set-Cookie": "session=1; Path=/"})

    async with open_bank(step) as opened:
        await opened.bank.balance()
        await opened.bank.balance()

        request = opened.script.requests[-1]
        assert request.headers["Accept-Encoding"] == "identity"
        assert "Cookie" not in request.headers
