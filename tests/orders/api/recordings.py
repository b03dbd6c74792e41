"""Responses as a running Medusa has recorded them, and in what the shape of ours differs."""

import re
from collections.abc import Iterator
from typing import Any

from tests.recorded.exchanges import exchanges

ABSENT = "absent"
_FREE_FORM = ("metadata", "data")
_TYPES = {dict: "object", list: "list", str: "string", bool: "boolean", int: "number", float: "number"}


def recorded(name: str) -> dict[str, Any]:
    """The exchange of that name."""
    return dict(exchanges("orders")[name])


def differences(theirs: Any, ours: Any) -> dict[str, tuple[str, str]]:
    """By path, what theirs and ours have there where these are of different types: what is below of it is left out.

    Null is of any type, since a column that may be null has the type of its values. A refusal's texts are compared.
    """
    is_refusal = set(theirs) == {"type", "message"}
    shapes = [dict(_texts(each)) if is_refusal else _types(each) for each in (theirs, ours)]
    unlike = {
        path: (shapes[0].get(path, ABSENT), shapes[1].get(path, ABSENT))
        for path in {**shapes[0], **shapes[1]}
        if shapes[0].get(path, ABSENT) != shapes[1].get(path, ABSENT)
    }
    return {
        path: pair
        for path, pair in unlike.items()
        if ("null" not in pair or ABSENT in pair)
        and path.rpartition(".")[0] not in unlike
        and not _is_beyond(path, shapes[0])
    }


def _is_beyond(path: str, theirs: dict[str, str]) -> bool:
    """Whether they have nothing where we have a list of something, of which they can therefore say nothing."""
    above = path.rpartition(".")[0]
    return theirs.get(above) == "list" and not any(each.startswith(f"{above}.") for each in theirs)


def _texts(refusal: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Without ids."""
    return ((name, re.sub(r"\b[a-z]+_\w{26}", "an id", text)) for name, text in refusal.items())


def _types(body: Any) -> dict[str, str]:
    """Of every key, as a path, the type of its values: null if none of them is anything else."""
    return dict(sorted(_shape(body), key=lambda found: found[1] != "null"))


def _shape(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every key as a path, with the type of its value; of a list, the keys of all its members."""
    if isinstance(value, list):
        for each in value:
            yield from _shape(each, path)
    elif isinstance(value, dict):
        for name, each in value.items():
            below = f"{path}.{name}" if path else name
            yield below, _TYPES.get(type(each), "null")
            if name not in _FREE_FORM:
                yield from _shape(each, below)
