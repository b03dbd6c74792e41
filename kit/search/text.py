"""Texts and words as search compares them.

A word with three or more letters is found anywhere inside a token, which is the text between two spaces; a shorter one
at the beginning of a token or of a run of letters and digits inside it. Letter case and accents do not count.
Why: docs/decisions/search.md#short-words-match-only-beginnings.
"""

import re
import unicodedata
from collections.abc import Iterable

SHORTEST_INSIDE = 3
"""Least letters of a word that is found anywhere; shorter words are found at beginnings."""
LONGEST_TEXT = 10_000
"""Characters of one text that are searched, since index entries of PostgreSQL have a size limit."""
LONGEST_RUN = 16
"""Letters of a run that the index of suffixes contains; longer runs are also compared as text."""

_ACCENTS = re.compile("[\u0300-\u036f]")  # of Latin, Greek and Cyrillic letters; marks of other scripts are letters
_ASCII_RUNS = re.compile(r"[a-z0-9]+")


def fold(text: str) -> str:
    """The text without letter case and accents, compatible forms unified."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed))


def words_of(search: str) -> tuple[str, ...]:
    """The distinct words of a search, folded, in their order."""
    return tuple(dict.fromkeys(fold(search).split()))


def without_implied(words: Iterable[str]) -> tuple[str, ...]:
    """The words without those that are found wherever another of them is."""
    known = tuple(words)
    longer = [word for word in known if len(word) >= SHORTEST_INSIDE]
    return tuple(
        word
        for word in known
        if len(word) < SHORTEST_INSIDE or not any(word in other and word != other for other in longer)
    )


def document(texts: Iterable[str | None]) -> str:
    """What search compares of a row: its distinct tokens, each after a space.

    The first line has the runs of letters and digits, the second the tokens that are more than one run or very long.
    """
    runs: set[str] = set()
    marked: set[str] = set()
    for token in {token for text in texts if text for token in fold(text[:LONGEST_TEXT]).split()}:
        parts = runs_of(token)
        runs.update(parts)
        if parts != [token]:
            marked.add(token)
    marked.update(run for run in runs if len(run) > LONGEST_RUN)
    return f"{_line(runs)}\n{_line(marked)}"


def _line(tokens: set[str]) -> str:
    return "".join(f" {token}" for token in sorted(tokens))


def runs_of(token: str) -> list[str]:
    """The runs of letters and digits in a folded token."""
    if token.isascii():
        return _ASCII_RUNS.findall(token)
    return "".join(each if _is_letter(each) else " " for each in token).split()


def _is_letter(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")


def piece(word: str) -> str:
    """The text that is in the document of every row in which the word is found."""
    return word if len(word) >= SHORTEST_INSIDE else f" {word}"


def is_found(words: Iterable[str], texts: Iterable[str | None]) -> bool:
    """Whether all words are found in the texts."""
    searched = document(texts)
    return all(piece(word) in searched for word in words)
