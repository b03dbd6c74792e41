"""Query strings: whatever is sent is an object or is refused, and what an object says comes back as it was."""

from typing import Any
from urllib.parse import quote

from hypothesis import example, given
from hypothesis import strategies as st

from kit.errors import InvalidData
from kit.rest.requests.query_string import parse_query

alphabet = st.sampled_from(
    ["a", "b", "[", "]", "=", "&", "0", "1", "$or", "%", "%5B", "%00", "%C3", "+", ".", ",", "é", "\0", " "]
)
texts = st.one_of(st.text(max_size=80), st.lists(alphabet, max_size=40).map("".join))


@given(texts)
@example("a[99999999999999999999]=1")
@example("a[]=1&a[0]=2&a=3")
def test_any_text_is_an_object_or_is_refused(text: str) -> None:
    assert is_refusal(text) or is_plain(parse_query(text))


def is_refusal(text: str) -> bool:
    """Whether the text is refused, in a few words."""
    try:
        parse_query(text)
    except InvalidData as refusal:
        return refusal.message.startswith("Invalid request: ") and len(refusal.message) < 300
    return False


def is_plain(value: Any) -> bool:
    """Whether it is made of texts, lists and objects alone, without a NUL, and each list and object holds something."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and "\0" not in key and is_plain(below) for key, below in value.items())
    if isinstance(value, list):
        return bool(value) and all(map(is_plain, value))
    return isinstance(value, str) and "\0" not in value


storable = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
values = st.text(storable, max_size=8)
names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0[].,"), min_size=1, max_size=8).filter(
    lambda name: not (name.isascii() and name.isdecimal())
)
lists = st.lists(values, min_size=2, max_size=4)
parameters = st.dictionaries(
    names,
    st.recursive(values, lambda inner: st.dictionaries(names, inner, min_size=1, max_size=3) | lists, max_leaves=6),
    max_size=4,
)


def written(value: Any, key: str, *, bracketed: bool) -> list[str]:
    """The pairs that a client writes for the value, lists by index or by empty brackets."""
    if isinstance(value, dict):
        return [
            pair
            for name, below in value.items()
            for pair in written(below, f"{key}[{quote(name)}]", bracketed=bracketed)
        ]
    if isinstance(value, list):
        return [f"{key}[{'' if bracketed else index}]={quote(item)}" for index, item in enumerate(value)]
    return [f"{key}={quote(value)}"]


@given(parameters, st.booleans())
def test_an_object_written_as_a_query_string_comes_back(wanted: dict[str, Any], bracketed: bool) -> None:
    pairs = [pair for name, value in wanted.items() for pair in written(value, quote(name), bracketed=bracketed)]
    assert parse_query("&".join(pairs)) == wanted


@given(st.lists(st.dictionaries(names, values, min_size=1, max_size=3), min_size=1, max_size=4), st.randoms())
def test_indexed_objects_come_back_as_a_list_in_whatever_order_they_were_sent(
    wanted: list[dict[str, str]], random: Any
) -> None:
    pairs = [
        f"$or[{index}][{quote(name)}]={quote(value)}"
        for index, item in enumerate(wanted)
        for name, value in item.items()
    ]
    random.shuffle(pairs)
    assert parse_query("&".join(pairs)) == {"$or": wanted}
