"""Query strings in bracket grammar, as tables."""

from typing import Any

import pytest

from kit.errors import InvalidData
from kit.rest.requests.query_string import MAX_BRACKETS, MAX_PARAMETERS, parse_query

PARSED: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    ("&&", {}),
    ("a=1", {"a": "1"}),
    ("a", {"a": ""}),
    ("a=", {"a": ""}),
    ("a=1&b=2&", {"a": "1", "b": "2"}),
    ("a=1=2", {"a": "1=2"}),
    ("a=x%20y+z%2B", {"a": "x y z+"}),
    ("a=%C3%A9", {"a": "é"}),
    ("a=1,2", {"a": "1,2"}),
    # lists: by brackets, by index, by repeating the key; a single text in brackets is split at its commas
    ("a=1&a=2", {"a": ["1", "2"]}),
    ("a[]=1&a[]=2", {"a": ["1", "2"]}),
    ("a[0]=1&a[1]=2", {"a": ["1", "2"]}),
    ("a[1]=1&a[0]=2", {"a": ["2", "1"]}),
    ("a[9]=1&a[10]=2", {"a": ["1", "2"]}),
    ("a[]=1,2", {"a": ["1,2"]}),
    ("a[0]=1,2", {"a": ["1,2"]}),
    ("a[]=1,2&a[]=3", {"a": ["1,2", "3"]}),
    ("a[]=1", {"a": ["1"]}),
    ("a[]=", {"a": [""]}),
    ("a%5B%5D=1&a%5b%5d=2", {"a": ["1", "2"]}),
    # objects
    ("a[$gte]=1", {"a": {"$gte": "1"}}),
    ("a[$gte]=1&a[$lt]=2", {"a": {"$gte": "1", "$lt": "2"}}),
    ("a%5B%24gte%5D=1", {"a": {"$gte": "1"}}),
    ("a.$gte=1", {"a": {"$gte": "1"}}),
    ("a[$in][]=1&a[$in][]=2", {"a": {"$in": ["1", "2"]}}),
    ("a[$in][0]=1", {"a": {"$in": ["1"]}}),
    ("a[b][c]=1", {"a": {"b": {"c": "1"}}}),
    ("a[ ]=1", {"a": {" ": "1"}}),
    # lists of objects
    ("$or[0][name]=x&$or[1][handle]=y", {"$or": [{"name": "x"}, {"handle": "y"}]}),
    ("$or[0][name]=x&$or[0][handle]=y", {"$or": [{"name": "x", "handle": "y"}]}),
    ("$or[0][id][]=x&$or[0][id][]=y", {"$or": [{"id": ["x", "y"]}]}),
    ("$and[0][$or][0][a]=1&$and[0][$or][1][a][$gt]=2", {"$and": [{"$or": [{"a": "1"}, {"a": {"$gt": "2"}}]}]}),
]


@pytest.mark.parametrize(("text", "parameters"), PARSED)
def test_parameters_by_name(text: str, parameters: dict[str, Any]) -> None:
    assert parse_query(text) == parameters


MALFORMED = [
    "=1",
    "[]=1",
    "[a]=1",
    "a[=1",
    "a]=1",
    "a[b=1",
    "a[b]]=1",
    "a[[b]]=1",
    "a[b]c=1",
    "a][b=1",
    "%5B=1",
    "a.b.c[=1",
]
TWICE = [
    "a=1&a[b]=2",
    "a[b]=1&a=2",
    "a[b]=1&a[b][c]=2",
    "a[]=1&a=2",
    "a=1&a[]=2",
    "a[]=1&a[0]=2",
    "a[b]=1&a[0]=2",
    "a[]=1&a[b]=2",
]


@pytest.mark.parametrize("text", MALFORMED)
def test_malformed_brackets_name_nothing(text: str) -> None:
    with pytest.raises(InvalidData, match=r"^Invalid request: Unrecognized fields: '"):
        parse_query(text)


@pytest.mark.parametrize("text", TWICE)
def test_a_name_is_used_in_one_way(text: str) -> None:
    with pytest.raises(InvalidData, match="is given in two ways at once"):
        parse_query(text)


@pytest.mark.parametrize("text", ["$or[][name]=x", "$or[][name]=x&$or[][handle]=y", "a[b][][c]=1", "a[][]=1", "a.=1"])
def test_what_has_no_index_has_nothing_below_it(text: str) -> None:
    """Whether `$or[][name]=x&$or[][handle]=y` is one object or two, no two parsers agree."""
    with pytest.raises(InvalidData, match="Unrecognized fields"):
        parse_query(text)


@pytest.mark.parametrize("text", ["q=%FF", "q=%C3", "q=%C3%28", "q=%ED%A0%80", "%FF=1", "a[%FF]=1"])
def test_bad_utf_8_is_refused(text: str) -> None:
    with pytest.raises(InvalidData, match="is not valid UTF-8"):
        parse_query(text)


@pytest.mark.parametrize(
    "text", ["q=%", "q=100%", "q=%z", "q=%zz", "q=%4", "q=%4z", "q=a%%41", "%=1", "a[%5]=1", "q=%u0041"]
)
def test_bad_percent_encoding_is_refused(text: str) -> None:
    with pytest.raises(InvalidData, match="percent"):
        parse_query(text)


@pytest.mark.parametrize("text", ["q=%00", "q=a%00b", "%00=1", "a[%00]=1", "q=\0"])
def test_a_nul_character_is_refused(text: str) -> None:
    with pytest.raises(InvalidData, match="NUL character"):
        parse_query(text)


def test_bytes_that_were_sent_as_they_are_count_as_utf_8() -> None:
    assert parse_query("q=é".encode().decode("latin-1")) == {"q": "é"}


@pytest.mark.parametrize(
    ("within", "beyond"),
    [
        ("&".join(["a=1"] * MAX_PARAMETERS), "&".join(["a=1"] * (MAX_PARAMETERS + 1))),
        ("a" + "[b]" * (MAX_BRACKETS - 1) + "=1", "a" + "[b]" * MAX_BRACKETS + "=1"),
        ("a[" + "9" * 9 + "]=1", "a[" + "9" * 5000 + "]=1"),
    ],
)
def test_it_has_its_bounds(within: str, beyond: str) -> None:
    parse_query(within)
    with pytest.raises(InvalidData):
        parse_query(beyond)


@pytest.mark.parametrize(
    "text", ["a" * 100_000, "a[" * 50_000, "a" + "]" * 50_000, "%5B" * 50_000, "a=" + "%" * 100_000]
)
def test_a_huge_one_is_refused_in_a_few_words(text: str) -> None:
    with pytest.raises(InvalidData) as refusal:
        parse_query(text)
    assert len(refusal.value.message) < 200


def test_a_huge_value_is_read() -> None:
    assert parse_query("&" * 1_000_000 + "a=" + "b" * 1_000_000) == {"a": "b" * 1_000_000}
