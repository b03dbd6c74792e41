"""Metadata: what is refused of it, what is alike."""

from typing import Any

import pytest

from kit.errors import InvalidData
from kit.values.metadata import checked, fingerprint, merged, same


@pytest.mark.parametrize("number", [-(2.0**63), 2.0**63, 2**63, -(2**63) - 1, 1e300, float("inf"), float("nan")])
def test_a_number_that_databases_do_not_give_back_within_64_bits_is_refused(number: float) -> None:
    with pytest.raises(InvalidData, match="Value for field 'metadata' holds a number beyond 64 bits"):
        checked({"a": [number]})


@pytest.mark.parametrize("number", [-(2**63), 2**63 - 1, -9223372036854774784.0, 9223372036854774784.0, 0.1])
def test_a_number_within_64_bits_is_kept_and_has_a_fingerprint(number: float) -> None:
    assert checked({"a": number}) == {"a": number}
    assert fingerprint({"a": number})


def test_what_is_too_large_is_refused_at_once_and_bit_by_bit(settings: Any) -> None:
    settings.MAX_METADATA = 20
    message = "Value for field 'metadata' too large, expected at most: '20' bytes"
    assert checked({"a": "x" * 12}) == {"a": "x" * 12}  # 20 bytes of JSON
    with pytest.raises(InvalidData, match=message):
        checked({"a": "x" * 13})
    with pytest.raises(InvalidData, match=message):
        merged({"a": "x" * 8}, {"b": "y" * 8})
    assert merged({"a": "x" * 12}, {"a": "", "b": "y" * 12}) == {"b": "y" * 12}


def test_what_is_too_large_is_not_searched_for_faults(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MAX_METADATA = 20
    monkeypatch.delattr("kit.values.metadata.fault")
    with pytest.raises(InvalidData, match="too large"):
        checked({"a": [0] * 20})


@pytest.mark.parametrize(("text", "problem"), [("\ud800", "is not valid Unicode text"), ("\0", "NUL characters")])
def test_a_text_that_no_database_keeps_is_refused(text: str, problem: str) -> None:
    with pytest.raises(InvalidData, match=problem):
        checked({"a": text})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (None, {}),
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}),
        ({"a": 1.0}, {"a": 1}),
        ({"a": [{"b": 1e16}]}, {"a": [{"b": 10**16}]}),
        ({"a": 1.2345678901234568e18}, {"a": 1234567890123456800}),
        ({"a": -0.0}, {"a": 0}),
    ],
)
def test_what_is_the_same_has_the_same_fingerprint(one: Any, other: Any) -> None:
    assert same(one or {}, other or {})
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": True}),
        ({"a": 0}, {"a": None}),
        ({"a": 1}, {"a": "1"}),
        ({"a": 1}, {"b": 1}),
        ({"a": [1, 2]}, {"a": [2, 1]}),
        ({"a": 1.5}, {"a": 1}),
        ({"a": {}}, {"a": []}),
        ({}, {"a": None}),
    ],
)
def test_what_differs_has_another_fingerprint(one: Any, other: Any) -> None:
    assert not same(one, other)
    assert fingerprint(one) != fingerprint(other)


def test_an_empty_text_removes_where_it_is_given_and_stands_where_it_stood() -> None:
    assert merged({"a": "", "b": 1}, {"b": "", "c": 2}) == {"a": "", "c": 2}
    assert merged({"a": 1}, {"a": None, "z": ""}) == {"a": None}
    assert (merged({"a": 1}, {}), merged({"a": 1}, None)) == ({}, None)
