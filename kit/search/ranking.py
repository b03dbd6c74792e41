"""Ranking of what a search has found: by the title, then by codes, then by other texts.

A rank is a number, the least of the best rows: one for what is said of the whole title and, for each word, one for
where it is found. Both databases compute it alike, from the row's document (text.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from django.db.models import Case, Exists, IntegerField, Model, OuterRef, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import StrIndex, Substr
from django.db.models.lookups import Exact, GreaterThan

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
class Relevance:
    """The order of a search's matches, the best first.

    title: how the title of the best rows begins. words: for each word, how a word of a title begins with it, and what
    documents contain where it is found.
    """

    title: str
    words: tuple[tuple[str, str], ...]


def relevance(words: Sequence[str]) -> Relevance:
    """The order of the matches of folded words."""
    return Relevance(marked_title(words), tuple((marked_title([word]), piece(word)) for word in words))


def searched_words(condition: Condition) -> tuple[str, ...]:
    """The words that must be found in every row."""
    return tuple(dict.fromkeys(word for part in parts_of(condition) if isinstance(part, Words) for word in part.words))


def rank(model: type[Model], by: Relevance) -> Combinable:
    """The rank of a row of the model, which has a document."""
    field = document_field(model)
    if field is None:
        raise TypeError(f"{model.__name__} has no document")
    title, codes = _from(TITLE_MARK), _from(CODES_MARK)
    whole = _first((Exact(title, Value(by.title)), _SAME), (Exact(_place(title, by.title), 1), _BEGINS), default=_OTHER)
    return reduce(add, (_rank_of_word(field, title, codes, *word) for word in by.words), whole)


def _rank_of_word(field: DocumentField, title: Combinable, codes: Combinable, start: str, part: str) -> Combinable:
    in_code_row = [] if field.code_rows is None else [(_in_code_row(field.model, field.code_rows, part), _IN_CODE)]
    return _first(
        (GreaterThan(_place(title, start), 0), _STARTS_WORD),
        (GreaterThan(_place(title, part), 0), _IN_TITLE),
        (GreaterThan(_place(codes, part), 0), _IN_CODE),
        *in_code_row,
        default=_IN_TEXT,
    )


def _in_code_row(model: type[Model], relation: str, part: str) -> Exists:
    link: Any = model._meta.get_field(relation)
    rows = link.related_model._default_manager.filter(**{link.field.name: OuterRef("pk"), "deleted_at": None})
    return Exists(rows.alias(place=_place(DOCUMENT, part)).filter(place__gt=0))


def _from(mark: str) -> Combinable:
    """The document from the first such mark."""
    return Substr(DOCUMENT, StrIndex(DOCUMENT, Value(mark)))


def _place(text: Combinable | str, part: str) -> StrIndex:
    return StrIndex(text, Value(part))


def _first(*cases: tuple[Any, int], default: int) -> Case:
    """The number of the first condition that holds."""
    return Case(
        *(When(condition, then=Value(number)) for condition, number in cases),
        default=Value(default),
        output_field=IntegerField(),
    )
