"""What may be stored, and when two requests are the same."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from {{ cookiecutter.package_name }}.polling.api import PayloadError
from {{ cookiecutter.package_name }}.polling.payload import fingerprint, stored
from {{ cookiecutter.package_name }}.polling.settings import PollingSettings

SETTINGS = PollingSettings(payload_max_bytes=1000, payload_max_depth=5)

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=10)
numbers = st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | numbers | texts
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3))


@given(st.dictionaries(texts, values, max_size=4))
def test_what_is_stored_reads_back_equal(payload: dict[str, object]) -> None:
    assert json.loads(stored(payload, PollingSettings())) == payload


@given(st.dictionaries(texts, values, max_size=4))
def test_equal_json_has_one_fingerprint(payload: dict[str, object]) -> None:
    shuffled = json.loads(json.dumps(dict(reversed(payload.items()))))

    assert fingerprint(payload) == fingerprint(shuffled)


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, 1.0), (0, -0.0), (10**22, 1e22), ({"a": 1, "b": 2}, {"b": 2.0, "a": 1.0})],
    ids=["1", "0", "large", "object"],
)
def test_spelling_does_not_count(one: object, other: object) -> None:
    assert fingerprint({"v": one}) == fingerprint({"v": other})


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, True), (0, False), (1, "1"), (None, False), ([1, 2], [2, 1]), (1.1, 1), ({}, []), ("", None)],
    ids=str,
)
def test_different_json_has_different_fingerprints(one: object, other: object) -> None:
    assert fingerprint({"v": one}) != fingerprint({"v": other})


def nested(levels: int) -> dict[str, object]:
    value: dict[str, object] = {}
    for _ in range(levels - 1):
        value = {"v": value}
    return value


def test_depth_is_bounded_without_exhausting_the_stack() -> None:
    stored(nested(5), SETTINGS)

    with pytest.raises(PayloadError, match="deeper"):
        stored(nested(7), SETTINGS)
    with pytest.raises(PayloadError, match="deeper"):
        stored(nested(50_000), SETTINGS)


def test_size_is_bounded() -> None:
    with pytest.raises(PayloadError, match="1000"):
        stored({"v": "x" * 1000}, SETTINGS)
