"""Texts and words as search compares them.

A word with three or more letters is found anywhere inside a token, which is the text between two spaces; a shorter one
at the beginning of a token or of a run of letters and digits inside it. Scripts that write no spaces between words are
searched anywhere from two letters. Letter case and accents do not count (folding.py), and apostrophes are left out.
Why: docs/decisions/search.md#short-words-match-only-beginnings.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from kit.search.folding import APOSTROPHE, fold

SHORTEST_INSIDE = 3
"""Least letters of a word that is found anywhere; shorter words are found at beginnings."""
LONGEST_TEXT = 10_000
"""Characters of one text that are searched, since index entries of PostgreSQL have a size limit."""
LONGEST_RUN = 16
"""Letters of a run that the index of suffixes contains; longer runs are also compared as text."""
SPACELESS = (
    r"\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\u2e80-\u2fdf\u3005-\u3007"
    r"\u3021-\u3029\u3040-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua9e0-\ua9ff\uaa60-\uaadf\uac00-\ud7ff"
    r"\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Thai, Lao, Khmer, Myanmar, Tai, Yi, Han, Kana, Bopomofo, and Hangul with its compounds: a character class of regular
expressions, for Python and PostgreSQL."""

CODES_MARK, TITLE_MARK = "\v", "\t"
"""Stand before the codes and before each word of the title in a document; no token contains them."""

_ASCII_RUNS = re.compile(r"[a-z0-9]+")
_SPACELESS_LETTER = re.compile(f"[{SPACELESS}]")
_LEADING_SIGNS = re.compile(r"^\W+(?=\w)")
_LETTER_AND_WORD = re.compile(r"[^\W\d_]-[^\W\d_]{2,}")


def words_of(search: str) -> tuple[str, ...]:
    """The distinct words of a search, folded, in their order."""
    return tuple(dict.fromkeys(fold(search).replace(APOSTROPHE, "").split()))


def is_found_inside(word: str) -> bool:
    """Whether the word is found anywhere, and not only at beginnings."""
    return len(word) >= SHORTEST_INSIDE or is_spaceless_pair(word)


def is_spaceless_pair(word: str) -> bool:
    """Whether these are two letters, and not both of scripts that write spaces."""
    return len(word) == 2 and bool(_SPACELESS_LETTER.search(word)) and runs_of(word) == [word]


def without_implied(words: Iterable[str]) -> tuple[str, ...]:
    """The words without those that are found wherever another of them is."""
    known = tuple(words)
    return tuple(
        word
        for word in known
        if not (is_found_inside(word) and any(word in other and word != other for other in known))
    )


def document(texts: Iterable[str | None]) -> str:
    """What search compares of a row: its distinct tokens, each after a space.

    The first line has the runs of letters and digits, the second the tokens that are more than one run or very long.
    """
    runs: set[str] = set()
    marked: set[str] = set()
    for written in {token for text in texts if text for token in fold(text[:LONGEST_TEXT]).split()}:
        token = written.replace(APOSTROPHE, "")
        parts = runs_of(token)
        runs.update(parts, _beginnings(written))
        if parts != [token] and token:
            marked.add(token)
    marked.update(run for run in runs if len(run) > LONGEST_RUN)
    return f"{_line(runs)}\n{_line(marked)}"


def ranked_document(texts: Sequence[str | None], codes: Iterable[str | None] = ()) -> str:
    """The document of a row with two lines more, for ranking: its codes, and the words of the first text, its title."""
    coded = {word for code in codes for word in words_of(code or "")}
    return f"{document(texts)}\n{CODES_MARK}{_line(coded)}\n{marked_title(words_of(texts[0] or ''))}"


def marked_title(words: Iterable[str]) -> str:
    """The words in their order, each after a mark and without signs before it, such as quotation marks."""
    return "".join(f"{TITLE_MARK}{_LEADING_SIGNS.sub('', word)}" for word in words)


def _beginnings(token: str) -> Iterator[str]:
    """Further runs: `or` of `d'or`, and `tshirt` of `t-shirt`."""
    if APOSTROPHE in token:
        yield from runs_of(token)
    if _LETTER_AND_WORD.fullmatch(token):
        yield token.replace("-", "")


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
    return word if is_found_inside(word) else f" {word}"


def is_found(words: Iterable[str], texts: Iterable[str | None]) -> bool:
    """Whether all words are found in the texts."""
    searched = document(texts)
    return all(piece(word) in searched for word in words)
