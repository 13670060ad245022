"""Logs say what happened and keep every secret."""

import json
import logging
from collections.abc import Iterator

import pytest

from {{ cookiecutter.package_name }}.infrastructure.telemetry import configure_logging, scrub


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_record_is_one_json_object_with_its_facts(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("INFO")
    logging.getLogger("x").warning("circuit.opened", extra={"system": "sber", "failure_ratio": 0.5})

    (line,) = lines(capsys)
    assert (line["event"], line["system"], line["failure_ratio"]) == ("circuit.opened", "sber", 0.5)
    assert (line["level"], line["logger"]) == ("warning", "x")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("postgresql+asyncpg://user:hunter2@host/db", "postgresql+asyncpg://user:***@host/db"),
        ("https://host/a?api_key=abc&b=1", "https://host/a?api_key=***&b=1"),
        ({"Authorization": "Bearer abc", "ok": 1}, {"Authorization": "***", "ok": 1}),
        ([{"client_secret": "abc"}], [{"client_secret": "***"}]),
        ("nothing to hide", "nothing to hide"),
    ],
    ids=["url password", "query", "header", "nested", "plain"],
)
def test_secrets_are_masked(given: object, kept: object) -> None:
    assert scrub(given) == kept


def test_a_traceback_shows_no_local_variable(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("INFO")
    password = "hunter" + "2"
    try:
        raise ValueError(len(password))
    except ValueError:
        logging.getLogger("x").exception("task.claim_failed")

    (line,) = lines(capsys)
    assert "ValueError" in str(line["exception"])
    assert "hunter2" not in str(line)


def test_libraries_that_tell_every_call_are_silent(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("INFO")
    logging.getLogger("httpx").info("HTTP Request: GET https://host/?token=abc")
    logging.getLogger("x").info("http.request_completed")

    assert [line["event"] for line in lines(capsys)] == ["http.request_completed"]
