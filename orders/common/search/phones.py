"""Phone numbers as search compares them: by their digits, however they are typed."""

import re

from kit.search.folding import fold

FEWEST_DIGITS = 5
"""Fewer digits with signs or spaces between them are words, not a phone number."""

_CODES = r"[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3}"
_INTERNATIONAL = re.compile(rf"[ (]*(?:\+|00)[ (]*(?P<code>{_CODES})", re.ASCII)
"""The prefix of a country, as ITU-T E.164 assigns them."""
_TRUNK = "(0)"
_NO_DIGIT = re.compile(r"\D", re.ASCII)
_TYPED = re.compile(r"(?<!\S)[+(\d][\d\s()/.-]{,40}\d(?!\S)", re.ASCII)
"""The limit bounds the time for a text of many brackets; E.164 has at most 15 digits."""


def written_forms(phone: str | None) -> list[str]:
    """The forms in which an entry has the number: `+49 (0)30 123-45` as 493012345 and 03012345."""
    if not phone:
        return []
    code, digits = _prefix_and_digits(fold(phone))
    return [f"{code}{digits}", f"0{digits}"] if code else [digits]


def with_joined_phones(search: str) -> str:
    """The search with each phone number as one word; of one with the prefix of a country, what follows the prefix."""
    return _TYPED.sub(lambda found: _joined(found[0]), fold(search))


def _joined(typed: str) -> str:
    _, digits = _prefix_and_digits(typed)
    return digits if len(digits) >= FEWEST_DIGITS else typed


def _prefix_and_digits(phone: str) -> tuple[str, str]:
    """The prefix of the country, if the number begins with it, and the other digits, then without the 0 before them."""
    international = _INTERNATIONAL.match(phone)
    if international is None:
        return "", _NO_DIGIT.sub("", phone)
    rest = phone[international.end() :].replace(_TRUNK, "")
    return international["code"], _NO_DIGIT.sub("", rest).lstrip("0")
