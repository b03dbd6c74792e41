"""Ranking of what a search has found: by the title, then by codes, then by other texts.

A rank is a number, the least of the best rows: one for what is said of the whole title and, for each word, one for
where it is found. Both databases compute it alike, from the row's document (text.py).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from django.db.models import BooleanField, Case, Exists, Func, IntegerField, Model, OuterRef, Q, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThan

from kit.query.conditions import Condition, Words, parts_of
from kit.search.documents import DOCUMENT, DocumentField, document_field
from kit.search.text import CODES_MARK, TITLE_MARK, marked_title, piece

MOST_RANKED = 1000
"""Of more matches, the first ones are ranked, in the order of the list; the others follow them."""
UNRANKED = 1000
"""In place of the rank of those."""
_SAME, _BEGINS, _OTHER = 0, 100, 200
_STARTS_WORD, _IN_TITLE, _IN_CODE, _IN_TEXT = range(4)


@dataclass(frozen=True, slots=True)
class RankedWord:
    """Patterns of documents in which the word begins a word of the title, is in the title, is a code, is anywhere.

    of_code_rows: of documents of rows with codes, for words that look like codes; otherwise empty.
    """

    begins: str
    in_title: str
    in_codes: str
    anywhere: str
    of_code_rows: str


@dataclass(frozen=True, slots=True)
class Relevance:
    """The order of a search's matches, the best first.

    same, begins: patterns of documents whose title is what was searched for, or begins with it.
    """

    same: str
    begins: str
    words: tuple[RankedWord, ...]


def relevance(words: Sequence[str]) -> Relevance:
    """The order of the matches of folded words."""
    title = _literal(f"\n{marked_title(words)}")
    return Relevance(f"%{title}", f"%{title}%", tuple(map(_ranked_word, words)))


def _ranked_word(word: str) -> RankedWord:
    part = _literal(piece(word))
    return RankedWord(
        begins=f"%{_literal(marked_title([word]))}%",
        in_title=f"%{TITLE_MARK}%{part}%",  # titles are the last line of documents, codes the one before
        in_codes=f"%{CODES_MARK}%{part}%",
        anywhere=f"%{part}%",
        of_code_rows="" if word.isalpha() else f"%{part}%",
    )


def _literal(text: str) -> str:
    return re.sub(r"([\\%_])", r"\\\1", text)


def searched_words(condition: Condition) -> tuple[str, ...]:
    """The words that must be found in every row."""
    return tuple(dict.fromkeys(word for part in parts_of(condition) if isinstance(part, Words) for word in part.words))


def rank(model: type[Model], by: Relevance) -> Combinable:
    """The rank of a row of the model, which has a document."""
    field = document_field(model)
    if field is None:
        raise TypeError(f"{model.__name__} has no document to rank by")
    whole = _first((Like(DOCUMENT, by.same), _SAME), (Like(DOCUMENT, by.begins), _BEGINS), default=_OTHER)
    return reduce(add, (_rank_of_word(field, word) for word in by.words), whole)


def _rank_of_word(field: DocumentField, word: RankedWord) -> Combinable:
    """Where a row has code rows, a word that is not in its own document is in one of these."""
    elsewhere = []
    if field.code_rows is not None:
        looks_like_code = GreaterThan(Length(Value(word.of_code_rows)), 0)
        in_code_row = _in_code_row(field.model, field.code_rows, word.of_code_rows)
        elsewhere = [(~Q(Like(DOCUMENT, word.anywhere)), _IN_CODE), (Q(looks_like_code) & Q(in_code_row), _IN_CODE)]
    return _first(
        (Like(DOCUMENT, word.begins), _STARTS_WORD),
        (Like(DOCUMENT, word.in_title), _IN_TITLE),
        (Like(DOCUMENT, word.in_codes), _IN_CODE),
        *elsewhere,
        default=_IN_TEXT,
    )


def _in_code_row(model: type[Model], relation: str, pattern: str) -> Exists:
    link: Any = model._meta.get_field(relation)
    rows = link.related_model._default_manager.filter(**{link.field.name: OuterRef("pk"), "deleted_at": None})
    return Exists(rows.filter(Like(DOCUMENT, pattern)))


class Like(Func):
    """Whether the text matches the pattern, which is escaped by backslashes."""

    template, arg_joiner, output_field = "%(expressions)s ESCAPE '\\'", " LIKE ", BooleanField()

    def __init__(self, text: str, pattern: str) -> None:
        super().__init__(text, Value(pattern))


def _first(*cases: tuple[Any, int], default: int) -> Case:
    """The number of the first condition that holds."""
    return Case(
        *(When(condition, then=Value(number)) for condition, number in cases),
        default=Value(default),
        output_field=IntegerField(),
    )
