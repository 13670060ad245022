"""The document that makes a simulated system misbehave."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from dev.simulator.behaviour import Behaviour


def test_by_default_a_system_is_healthy() -> None:
    assert Behaviour().model_dump() == {
        "latency": 0.0,
        "error_rate": 0.0,
        "status": 503,
        "retry_after": None,
        "fault": None,
        "outcome": "confirmed",
        "pending_polls": 1,
        "health": False,
    }


@pytest.mark.parametrize(
    "document",
    [
        {"latency": 1},
        {"error_rate": 1},
        {"status": 429, "retry_after": 2},
        {"retry_after": "Wed, 21 Oct 2099 07:28:00 GMT"},
        {"fault": None},
        {"pending_polls": 0},
    ],
    ids=json.dumps,
)
def test_what_is_left_out_is_the_default(document: dict[str, Any]) -> None:
    behaviour = Behaviour.model_validate_json(json.dumps(document))

    assert behaviour.model_dump() == Behaviour().model_dump() | document


@pytest.mark.parametrize(
    "document",
    [
        {"latnecy": 1},
        {"latency": -1},
        {"latency": "1"},
        {"latency": float("nan")},
        {"latency": True},
        {"error_rate": 1.1},
        {"status": 200},
        {"status": 503.5},
        {"retry_after": -1},
        {"retry_after": "a\r\nb"},
        {"fault": "explode"},
        {"outcome": "pending"},
        {"pending_polls": -1},
        {"health": 1},
        [],
        "hang",
        None,
    ],
    ids=json.dumps,
)
def test_what_is_unknown_or_impossible_is_refused(document: Any) -> None:
    with pytest.raises(ValidationError):
        Behaviour.model_validate_json(json.dumps(document))
