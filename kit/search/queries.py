"""Queries for the indexes of search entries: a tsquery on PostgreSQL, an FTS5 expression on SQLite.

On PostgreSQL an entry's terms are, for each token, a space with its first letter and a space with its first two; and,
for each run of letters and digits, all suffixes of three or more letters, cut to 16: a part of a word is the prefix of
a suffix. Runs of scripts without spaces also have their last two letters. Tokens that are more than one run, or longer,
are also compared as text. Another index has the last letter and
the last two letters before each @, with the @, for email addresses as short as jo@shop.example. On SQLite the terms
are the document with two spaces before each token, under a trigram index, which by itself answers every word but two
letters of a script without spaces: these are compared with the terms.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import connection

from kit.search.text import (
    LONGEST_RUN,
    SHORTEST_INSIDE,
    is_found_inside,
    is_spaceless_pair,
    runs_of,
    without_implied,
)


@dataclass(frozen=True, slots=True)
class EntryQuery:
    """terms: the query of the index; empty if it does not help. marked: texts that the marked tokens must contain.

    ends: of these texts, what the index of ends must contain. parts: on SQLite, texts that the terms must contain.
    """

    terms: str
    marked: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()


def query_for(words: Iterable[str]) -> EntryQuery:
    """The query for entries in which all words are found."""
    return all_of([_query_for_word(word) for word in without_implied(words)])


def all_of(queries: Iterable[EntryQuery]) -> EntryQuery:
    """The query for entries that meet all of them."""
    known = list(queries)
    joined = _joined([each.terms for each in known if each.terms], " & ", " AND ")
    return EntryQuery(
        joined,
        marked=tuple(text for each in known for text in each.marked),
        ends=tuple(end for each in known for end in each.ends),
        parts=tuple(part for each in known for part in each.parts),
    )


def any_of(queries: Iterable[EntryQuery]) -> EntryQuery | None:
    """The query for entries that meet one of them; None where no single query can express that."""
    known = list(queries)
    if any(each.marked or each.parts or not each.terms for each in known):
        return None
    return EntryQuery(_joined([each.terms for each in known], " | ", " OR "))


def _joined(terms: list[str], postgresql: str, sqlite: str) -> str:
    if len(terms) < 2:
        return "".join(terms)
    return (sqlite if connection.vendor == "sqlite" else postgresql).join(f"({each})" for each in terms)


def _query_for_word(word: str) -> EntryQuery:
    if connection.vendor == "sqlite":
        if is_spaceless_pair(word):
            return EntryQuery("", parts=(word,))
        padded = " " * (SHORTEST_INSIDE - len(word)) + word
        return EntryQuery('"' + padded.replace('"', '""') + '"')
    if not is_found_inside(word):
        return EntryQuery(_lexeme(f" {word}"))
    runs = runs_of(word)
    if runs == [word] and len(word) <= LONGEST_RUN:
        return EntryQuery(f"{_lexeme(word)}:*")
    local, at, _ = word.partition("@")
    if at and local and not _has_long_run(local):
        return EntryQuery("", (word,), (f"{local[-2:]}@",))
    return EntryQuery(" & ".join(_helpful(word, runs)), (word,))


def _helpful(word: str, runs: Sequence[str]) -> list[str]:
    """The terms that narrow down the entries with a word of several runs, which is compared as text besides.

    A run that ends within the word is the whole suffix of a run, so its term is known. PostgreSQL skips through the
    entries of such a term, but reads all those of a prefix: too many for the end of a domain.
    """
    ended = runs[:-1] if runs and word.endswith(runs[-1]) else runs
    terms = [_lexeme(run[:LONGEST_RUN]) for run in ended if is_found_inside(run)]
    local, at, _ = word.partition("@")
    if at and _has_long_run(local):
        return terms
    return terms + [f"{_lexeme(run[:LONGEST_RUN])}:*" for run in runs[len(ended) :] if is_found_inside(run)]


def _has_long_run(text: str) -> bool:
    return any(map(is_found_inside, runs_of(text)))


def _lexeme(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"
