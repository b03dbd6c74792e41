"""Handles: the slugs of products, categories and collections, by which URLs name them."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from catalog.errors import HandleRequired
from kit.domain.absent import ABSENT
from kit.editing.changes import Row
from kit.editing.rows import RowEdits
from kit.editing.states import State
from kit.errors import InvalidData, shown
from kit.values.text import LONGEST

_PUNCTUATION = "-_.~"
"""What a URL can hold beside letters and digits, without escapes."""
_VARIATION_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
"""Marks that choose between a sign and its picture."""
_SEPARATORS = re.compile(r"[\s/\\%?#&+]+")


def handle_of(title: str) -> str:
    """A handle derived from a title: letters and digits of any script, joined by hyphens. Raises HandleRequired.

    Vowel signs and other marks belong to their letters: हिन्दी किताब becomes हिन्दी-किताब.
    """
    words = "".join(_of_words(unicodedata.normalize("NFKC", title).lower()))
    handle = re.sub(r"[-\s]+", "-", words).strip("-_")[:LONGEST]
    if not handle:
        raise HandleRequired(title)
    return handle


def normalized(handle: str) -> str:
    """The handle as a URL can hold it: `a/b` as `a-b`, `Upper-Case` as `upper-case`. Raises HandleRequired."""
    return handle if problem(handle) is None else handle_of(_SEPARATORS.sub("-", handle))


def normalized_if_possible(handle: str) -> str:
    """As `normalized`, or the handle as it is if it has neither letter nor digit."""
    try:
        return normalized(handle)
    except HandleRequired:
        return handle


def problem(handle: str) -> str | None:
    """Why a URL cannot hold the handle as it is, as the end of a sentence about it, or None."""
    is_plain = all(_is_part_of_word(letter) or letter in _PUNCTUATION for letter in handle)
    if is_plain and handle == handle.lower() and handle.strip("."):
        return None
    return "must consist of lower-case letters, digits, hyphens, underscores, dots and tildes"


def decoded(handle: str) -> str:
    """The handle that a URL holds percent-encoded. The same one if it is not encoded, or encodes no text."""
    try:
        text = unquote(handle, errors="strict")
    except UnicodeDecodeError:
        return handle
    return handle if "\0" in text else text


def checked(handle: str) -> str:
    """The handle as it is. Raises InvalidData for one with a problem."""
    if problem(handle):
        raise _refusal(handle)
    return handle


def refuse_unsafe(edits: RowEdits[Row], states: Sequence[State]) -> None:
    """Add a fault for each new handle that a URL cannot hold. Stored ones, of older versions, can stay.

    One statement if there are any.
    """
    given = [state.given_values().get("handle", ABSENT) for state in states]
    unsafe = {index: str(handle) for index, handle in enumerate(given) if handle is not ABSENT and problem(str(handle))}
    if unsafe:
        ids = [edits.rows[index].pk for index in unsafe]
        stored = dict(edits.model._default_manager.filter(pk__in=ids).values_list("pk", "handle"))
        for index, handle in unsafe.items():
            if handle.strip() and stored.get(edits.rows[index].pk) != handle:
                edits.refuse(index, "handle", _refusal(handle))


def _refusal(handle: str) -> InvalidData:
    return InvalidData(f"Value for field 'handle' {problem(handle)}, got: '{shown(handle)}'")


def _of_words(text: str) -> Iterator[str]:
    """Letters and digits with their marks, spaces, hyphens and underscores. Marks of anything else are left out."""
    is_in_word = False
    for character in text:
        is_mark = unicodedata.category(character) in ("Mn", "Mc") and character not in _VARIATION_SELECTORS
        is_in_word = character.isalnum() or (is_mark and is_in_word)
        if is_in_word or character in "-_" or character.isspace():
            yield character


def _is_part_of_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character) in ("Mn", "Mc")
