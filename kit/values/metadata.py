"""Metadata: an object of the client's own, kept as JSON.

Why: docs/decisions/structure.md#apis-merge-metadata-forms-replace-them.
"""

from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal

import orjson
from django.conf import settings

from kit.errors import InvalidData
from kit.values import text
from kit.values.json import JSON, JSONObject

Metadata = Mapping[str, JSON]

MAX_LEVELS = 32
"""Objects and lists within each other: JSON writers count levels, and answers nest metadata in trees."""

_SMALLEST, _LARGEST = -(2**63), 2**63 - 1


def fault(value: object) -> str | None:
    """What is wrong with a JSON value, as the end of a sentence about it, or None.

    It lists what one of the databases or the JSON writer cannot store: NUL characters, lone surrogates, numbers that
    are not finite or need more than 64 bits (PostgreSQL writes 1e300 out as an integer), more than MAX_LEVELS levels.
    """
    return _fault(value, level=0)


def checked(value: Metadata | None, *, field: str = "metadata") -> JSONObject | None:
    """The object as it is, or None. Raises InvalidData, naming the field, if it is invalid or too large."""
    if value is None:
        return None
    given = dict(value)
    with suppress(orjson.JSONEncodeError):  # `fault` reports what cannot be written
        _bounded(given, field)  # first: checking a large object takes long
    problem = fault(given)
    if problem:
        raise InvalidData(f"Value for field '{field}' {problem}")
    return given


def merged(stored: Metadata | None, given: Metadata | None) -> JSONObject | None:
    """The metadata after an update: a given key replaces the stored one, "" removes it; None and {} replace everything.

    Raises InvalidData if the result is too large, however small the update.
    """
    if not given:
        return None if given is None else {}
    together = {**(stored or {}), **given}
    left = {key: value for key, value in together.items() if given.get(key) != ""}
    _bounded(left, "metadata")
    return left


def fingerprint(value: Metadata | None) -> bytes:
    """Equal for objects that `same` considers equal; None is {}. Finds one object among many without comparisons."""
    return orjson.dumps(_plain(value or {}), option=orjson.OPT_SORT_KEYS)


def same(one: object, other: object) -> bool:
    """Whether two JSON values are equal; unlike Python's `==`, true is not 1. Order of keys does not matter."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, float) and isinstance(other, int):
        return one == float(other)  # PostgreSQL gives 1e16 back as an integer
    if isinstance(one, int) and isinstance(other, float):
        return float(one) == other
    return bool(one == other)


def size(value: Metadata | None) -> int:
    """The size of the object as JSON, in bytes; 0 for None."""
    return len(orjson.dumps(value)) if value is not None else 0


def _bounded(value: Metadata, field: str) -> None:
    if size(value) > settings.MAX_METADATA:
        raise InvalidData(f"Value for field '{field}' too large, expected at most: '{settings.MAX_METADATA}' bytes")


def _plain(value: object) -> object:
    """Numbers as PostgreSQL gives them back: 1.0 and 1e16 as integers."""
    if isinstance(value, Mapping):
        return {key: _plain(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_plain(below) for below in value]
    return int(Decimal(repr(value))) if isinstance(value, float) and value.is_integer() else value


def _fault(value: object, *, level: int) -> str | None:
    if isinstance(value, str):
        return text.fault(value)
    if isinstance(value, Mapping | list):
        if level == MAX_LEVELS:
            return f"is nested deeper than {MAX_LEVELS} levels"
        inner = [*value, *value.values()] if isinstance(value, Mapping) else value
        return next(filter(None, (_fault(one, level=level + 1) for one in inner)), None)
    if isinstance(value, int | float) and not _SMALLEST <= value <= _LARGEST:
        return "holds a number beyond 64 bits"
    if isinstance(value, float) and value == _SMALLEST:  # its shortest decimals, -9223372036854776000, are beyond them
        return "holds a number beyond 64 bits"
    return None
