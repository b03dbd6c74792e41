"""JSON is measured as the parser would find it, without being parsed."""

import re
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kit.values import bounded_json
from kit.values.bounded_json import DEEPEST, MOST_VALUES, TooComplex, measure, parse

pytestmark = pytest.mark.once

texts = st.lists(st.sampled_from(['"', "\\", "[", "]", "{", "}", ",", ":", "a", "é", "\n"]), max_size=6).map("".join)
scalars = st.one_of(texts, st.integers(-9, 9), st.booleans(), st.none())
values = st.recursive(
    scalars, lambda below: st.lists(below, max_size=4) | st.dictionaries(texts, below, max_size=4), max_leaves=40
)


def depth(value: Any) -> int:
    below = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth, below), default=0) if isinstance(value, dict | list) else 0


def count(value: Any) -> int:
    """The members and items, and the empty objects and lists once more, since they are counted by their brackets."""
    below = list(value.values() if isinstance(value, dict) else value) if isinstance(value, dict | list) else []
    return (len(below) or 1) + sum(map(count, below)) if isinstance(value, dict | list) else 0


@given(values, st.integers(1, 6), st.integers(1, 20))
@example({'"': ['\\"[', "[\\"], "[": {"]": '"'}}, 1, 20)
def test_the_limits_are_exact(value: Any, deepest: int, most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounded_json, "DEEPEST", deepest)
        patch.setattr(bounded_json, "MOST_VALUES", most)
        text = orjson.dumps(value)
        if count(value) > most or depth(value) > deepest:
            with pytest.raises(TooComplex):
                measure(text)
        else:
            assert parse(text) == parse(text.decode()) == value


@pytest.mark.parametrize("opened", [b"[", b'{"a":'])
def test_as_deep_as_it_may_be_and_one_deeper(opened: bytes) -> None:
    closed = b"]" if opened == b"[" else b"}"
    measure(opened * (DEEPEST - 1) + b"[]" + closed * (DEEPEST - 1))
    with pytest.raises(TooComplex, match=re.escape("is nested deeper than 32 levels")):
        measure(opened * DEEPEST + b"[]" + closed * DEEPEST)
    with pytest.raises(TooComplex):
        measure(opened * 1000)  # never closed


@pytest.mark.parametrize(
    "item",
    [b"1", b'""', b'"["', b'"]"', b'"\\\\"', b'"\\"["', b"[]", b'"' + "é".encode() * 6 + b'"'],
)
def test_as_many_values_as_there_may_be_and_one_more(item: bytes) -> None:
    most = MOST_VALUES // 2 if item == b"[]" else MOST_VALUES
    measure(b"[" + b",".join([item] * most) + b"]")
    with pytest.raises(TooComplex, match=re.escape("has more than 100000 values")):
        measure(b"[" + b",".join([item] * (most + 1)) + b"]")


def test_a_text_of_brackets_alone_is_a_single_value() -> None:
    text = "[{,}]" * 200_000
    assert parse(orjson.dumps([text])) == [text]


@pytest.mark.parametrize("text", [b"", b'"', b"]", b"[,", b'{"a', b"\\", b'"\\', b"[[[", "\ud800"])
def test_what_is_malformed_is_left_to_the_parser(text: bytes | str) -> None:
    with pytest.raises(orjson.JSONDecodeError):
        parse(text)
