"""Finding the ids and email addresses in requests and responses that identify a person."""

import re
import string
from collections.abc import Iterator
from itertools import islice

_KINDS = frozenset(
    (b"cus", b"cart", b"order", b"return", b"inv", b"ful", b"pay", b"pay_col", b"payses", b"gcard", b"sc_acc")
)
"""The prefixes of ids that routes take."""

_LONGEST_KIND = max(map(len, _KINDS)) + 1
_LONGEST_NAME = 64
"""Bytes before the @ of an email address, by RFC 5321."""

_ULID = re.compile(rb"_[0-9A-HJKMNP-TV-Z]{26}")
_LOWER = string.ascii_lowercase.encode() + b"_"
_NAME = (string.ascii_letters + string.digits + "_.!#$%&'*+/=?^`{|}~-").encode()
"""The letters of prefixes, and of email addresses before the @."""

_AT = re.compile(rb"@")
_DOMAIN = re.compile(rb"[\w-]+(?:\.[\w-]+)+")
_MOST = 1_000
"""The maximum of each, to bound the time. The request's path and the id of its resource come first."""


def names_in(text: bytes) -> Iterator[bytes]:
    """The ids and email addresses in the text, in their original letter case.

    It searches backward from `_` and `@`, since one pattern for all would try every character of a large response.
    """
    for ulid in islice(_ULID.finditer(text), _MOST):
        prefix = _end(text, ulid.start(), _LONGEST_KIND, _LOWER)
        if prefix in _KINDS:
            yield prefix + ulid[0]
    for sign in islice(_AT.finditer(text), _MOST):
        at = sign.start()
        name, domain = _end(text, at, _LONGEST_NAME, _NAME), _DOMAIN.match(text, at + 1)
        if name and domain is not None:
            yield name + b"@" + domain[0]


def _end(text: bytes, end: int, longest: int, letters: bytes) -> bytes:
    """The longest run of these letters that ends at `end`."""
    head = text[max(0, end - longest) : end]
    return head[len(head.rstrip(letters)) :]
