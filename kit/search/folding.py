"""Folding: how texts and words are written before search compares them.

Letter case, accents and compatible forms do not count. Letters such as ø, ł, đ and æ are folded to what their readers
type on a plain keyboard, which their names in the Unicode Character Database say; Arabic letters as Lucene's
ArabicNormalizer and PersianNormalizer fold them. Points for vowels of Arabic and Hebrew, which are rarely written, are
left out.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

APOSTROPHE = "'"
"""All apostrophes as folded texts have them."""

_ACCENTS = "\u0300-\u036f"  # of Latin, Greek and Cyrillic letters; most marks of other scripts are letters
_POINTS = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u0640"
_IGNORED = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff"
_LEFT_OUT = re.compile(f"[{_ACCENTS}{_POINTS}{_IGNORED}]")
_APOSTROPHES = (
    "`\u00b4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u055a\u05f3\u07f4\u07f5\u2018-\u201b\u2032\u2035\ua78b\ua78c\uff07"
)
_HYPHENS = (
    "\u2010-\u2015\u2043\u2212\u058a\u05be\u1400\u1806\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u301c\u3030\u30a0"
    "\ufe31\ufe32\ufe58\ufe63\uff0d"
)
_NAMED = re.compile(r"LATIN SMALL (?:LETTER|LIGATURE) (?:\S+ )*?([A-Z]{1,2})(?: WITH .+)?")
_NAMED_OTHERWISE = {"ð": "d", "þ": "th", "ŋ": "n", "ə": "e", "ĸ": "k"}
_ARABIC = {"ى": "ي", "ی": "ي", "ے": "ي", "ک": "ك", "ة": "ه"}
_BLOCKS = (range(0x80, 0x530), range(0x1D00, 0x1F00), range(0x2C60, 0x2C80), range(0xA720, 0xA800))
"""Latin and Cyrillic letters."""


def fold(text: str) -> str:
    """The text without letter case, accents and the other differences."""
    if text.isascii():
        return text.lower().replace("`", APOSTROPHE)
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text.translate(_SIGNS)).casefold())
    return unicodedata.normalize("NFC", _LEFT_OUT.sub("", decomposed).translate(_LETTERS))


def _members(ranges: str) -> Iterator[int]:
    """The code points that a character class of a regular expression has."""
    for first, last in re.findall("(.)(?:-(.))?", ranges):
        yield from range(ord(first), ord(last or first) + 1)


def _base(letter: str) -> str | None:
    """The letters that the name of a letter says: `LATIN SMALL LETTER L WITH STROKE`, `LATIN SMALL LETTER AE`."""
    name = unicodedata.name(letter, "")
    if latin := _NAMED.fullmatch(name):
        return latin[1].lower()
    plain, joint, _ = name.partition(" WITH ")
    try:
        return unicodedata.lookup(plain) if joint and " SMALL LETTER " in plain else None
    except KeyError:
        return None


def _letters(codes: Iterable[int]) -> Iterator[tuple[str, str]]:
    for letter in map(chr, codes):
        base = None if unicodedata.decomposition(letter) else _base(letter)
        if base:
            yield letter, base


def _digits() -> Iterator[tuple[str, str]]:
    for digit in map(chr, range(0x80, 0x10000)):
        if digit.isdecimal():
            yield digit, str(unicodedata.decimal(digit))


_SIGNS = {**dict.fromkeys(_members(_APOSTROPHES), APOSTROPHE), **dict.fromkeys(_members(_HYPHENS), "-")}
_LETTERS = str.maketrans(
    {**dict(_letters(code for block in _BLOCKS for code in block)), **_NAMED_OTHERWISE, **_ARABIC, **dict(_digits())}
)
