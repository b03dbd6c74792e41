"""Parsing JSON that others sent: its depth and its number of values are known before any object is built.

Why: docs/decisions/http.md#json-is-measured-before-it-is-parsed.
"""

from array import array
from itertools import accumulate
from typing import Any

import orjson

DEEPEST = 32
"""Objects and lists within each other."""
MOST_VALUES = 100_000
"""Members of all objects and items of all lists, each of which takes up to 250 bytes as a Python object."""

_AS_LISTS = bytes.maketrans(b"{}", b"[]")
_BESIDE_MARKS = bytes(set(range(256)) - set(b'"[]{},'))
_AS_STEPS = bytes.maketrans(b"[]", bytes((1, 255)))  # as signed bytes: one level down, one up


class TooComplex(ValueError):
    """The text would become too many or too deeply nested objects. The message is the end of a sentence about it."""


def parse(text: bytes | str) -> Any:
    """The value. Raises TooComplex, or orjson.JSONDecodeError, which is a ValueError, too."""
    measure(text)
    return orjson.loads(text)


def measure(text: bytes | str) -> None:
    """Raise TooComplex if the text is nested too deeply or has too many values. Nothing else is checked.

    A malformed text is measured exactly up to its first fault, where parsing ends. Most texts are short and have few
    brackets: these are not looked at any further.
    """
    sent = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    if len(sent) <= MOST_VALUES and sent.count(b"[") + sent.count(b"{") <= DEEPEST:
        return
    marks = _marks(sent)
    if marks.count(b",") + marks.count(b"[") > MOST_VALUES:
        raise _too_many()
    if max(accumulate(array("b", marks.translate(_AS_STEPS, b","))), default=0) > DEEPEST:
        raise TooComplex(f"is nested deeper than {DEEPEST} levels")


def _marks(text: bytes) -> bytes:
    """The commas and brackets outside of strings, braces as brackets."""
    unescaped = text.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in text else text
    marks = unescaped.translate(_AS_LISTS, _BESIDE_MARKS).replace(b'""', b"")  # two strings may join, and stay strings
    if marks.count(b'"') > 4 * MOST_VALUES:  # a member has at most two strings
        raise _too_many()
    return b"".join(marks.split(b'"')[::2])


def _too_many() -> TooComplex:
    return TooComplex(f"has more than {MOST_VALUES} values")
