"""Searching lists and pickers for words, folded as those of `q`, the best matches first (kit/search)."""

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.contrib.admin.views.main import ORDER_VAR
from django.db.models import Case, Model, Q, QuerySet, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import StrIndex, Substr
from django.http import HttpRequest

from kit.search.documents import DOCUMENT, document_field
from kit.search.folding import APOSTROPHE, fold
from kit.search.ranking import MOST_RANKED, UNRANKED, rank, relevance
from kit.search.text import TITLE_MARK, words_of

Rows = QuerySet[Any, Any]
MOST_FOLDED = 500
"""Rows without documents that are compared in Python, which takes 5 ms of CPU."""


def is_searched_by_words(model: type[Model]) -> bool:
    """Whether the model's rows have documents."""
    return document_field(model) is not None


def found_rows(rows: Rows, search_term: str, search_fields: Iterable[str]) -> Rows:
    """The rows in which each word is found anywhere in the document or in the title of a related row, or as a value.

    search_fields: as Django has them. Of these, `=id` is compared with a whole word, and `product__title` says whose
    title is searched; all others are in the document.
    """
    exact = [name[1:] for name in search_fields if name.startswith("=")]
    relations = [name.rpartition("__")[0] for name in search_fields if "__" in name and not name.startswith("=")]
    for number, relation in enumerate(relations):
        path = f"{relation}__{DOCUMENT}"
        rows = rows.alias(**{f"title_{number}": Substr(path, StrIndex(path, Value(TITLE_MARK)))})
    places = [DOCUMENT, *(f"title_{number}" for number in range(len(relations)))]
    for typed in filter(words_of, search_term.split()):
        own = Q(**dict.fromkeys(exact, typed), _connector=Q.OR) if exact else Q(pk__in=())
        rows = rows.filter(own | _all_in_one_of(places, words_of(typed)))
    return rows


def folded_rows(rows: Rows, search_term: str, search_fields: Iterable[str]) -> Rows | None:
    """Of a table without documents, the rows in whose texts each word is found, folded; None for more than MOST_FOLDED.

    One statement more than Django's search, which finds letters as they are, and finds the same rows, too.
    """
    exact = [name[1:] for name in search_fields if name.startswith("=")]
    texts = [name for name in search_fields if not name.startswith("=")]
    few = list(rows.order_by().values_list("pk", *exact, *texts)[: MOST_FOLDED + 1]) if texts else []
    if not texts or len(few) > MOST_FOLDED:
        return None
    keys = {pk: (values[: len(exact)], values[len(exact) :]) for pk, *values in few}
    words = search_term.replace('"', " ").split()
    return rows.filter(pk__in=[pk for pk, columns in keys.items() if all(_is_in(word, *columns) for word in words)])


def _is_in(typed: str, exact: Sequence[object], texts: Sequence[object]) -> bool:
    """Whether the word is one of the exact values, or anywhere in the texts, as it is or folded."""
    plain, written = typed.casefold(), "\n".join(str(text) for text in texts if text is not None)
    if plain in written.casefold() or any(str(value).casefold() == plain for value in exact):
        return True
    words = words_of(typed)
    return bool(words) and all(map(fold(written).replace(APOSTROPHE, "").__contains__, words))


def _all_in_one_of(places: Sequence[str], words: Sequence[str]) -> Q:
    return reduce(or_, (Q(*(Q(**{f"{place}__contains": word}) for word in words)) for place in places))


def best_first(request: HttpRequest, rows: Rows, search_term: str) -> Rows:
    """The found rows with the best matches first, unless the list is sorted by a column. Equal ones stay as they are.

    Only the first MOST_RANKED are ranked.
    """
    if is_sorted(request) or not words_of(search_term):
        return rows
    by = When(pk__in=rows.values("pk")[:MOST_RANKED], then=_rank(rows, search_term))
    return rows.order_by(Case(by, default=Value(UNRANKED)), *rows.query.order_by, "pk")


def best_of_first(rows: Rows, search_term: str) -> Rows:
    """Of many found rows, the first MOST_RANKED alone, the best first. It does not sort the others."""
    first = rows.filter(pk__in=rows.values("pk")[:MOST_RANKED])
    return first.order_by(_rank(rows, search_term), *rows.query.order_by, "pk")


def is_sorted(request: HttpRequest) -> bool:
    """Whether the user has sorted the list by a column."""
    return ORDER_VAR in request.GET


class RankedRows:
    """Many found rows in their order, the first MOST_RANKED the best first, for slices that end before or begin after.

    Django's paginator asks for nothing else.
    """

    ordered = True

    def __init__(self, rows: Rows, search_term: str) -> None:
        self._rows, self._best = rows, best_of_first(rows, search_term)

    def __getitem__(self, window: slice) -> Any:
        if window.stop <= MOST_RANKED:
            return self._best[window]
        if window.start >= MOST_RANKED:
            return self._rows[window]
        return [*self._best[window.start : MOST_RANKED], *self._rows[MOST_RANKED : window.stop]]


def _rank(rows: Rows, search_term: str) -> Combinable:
    return rank(rows.model, relevance(words_of(search_term)))
